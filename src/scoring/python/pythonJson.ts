/**
 * Whether Python's `json.loads` takes the text. It differs from `JSON.parse` in two ways: it takes `NaN`, `Infinity`
 * and `-Infinity` as values, and refuses integers of more than 4,300 digits.
 */
export function isPythonJson(text: string): boolean {
  let tooLong = false;
  const plain = text.replace(TOKEN, (token, whole: string | undefined, rest: string | undefined) => {
    if (whole !== undefined) {
      tooLong ||= rest === "" && whole.length > LONGEST_INTEGER;
      return token;
    }
    return token.startsWith('"') ? token : "null";
  });
  if (tooLong) return false;
  try {
    JSON.parse(plain);
    return true;
  } catch {
    return false;
  }
}

/** `sys.get_int_max_str_digits()` of CPython since 3.10.7. */
const LONGEST_INTEGER = 4300;

/** A string (left alone), a number (its digits before the point, and what follows them), or a word only Python takes. */
const TOKEN = /"(?:[^"\\]|\\[\s\S])*"|-?(\d+)((?:\.\d+)?(?:[eE][-+]?\d+)?)|-?Infinity|NaN/g;
