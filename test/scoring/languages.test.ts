import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectLanguage, detectLanguages } from "../../src/scoring/languages/index.js";

describe("the language of a text", () => {
  it.each([
    ["en", "This is an ordinary sentence about the weather of yesterday."],
    ["de", "Das ist ein ganz gewöhnlicher Satz über das Wetter von gestern."],
    ["fr", "C'est une phrase tout à fait ordinaire sur le temps d'hier."],
    ["vi", "Đây là một câu bình thường về thời tiết ngày hôm qua."],
    ["ro", "Aceasta este o propoziție obișnuită despre vremea de ieri și de azi."],
    ["fa", "این یک جملهٔ معمولی دربارهٔ هوای دیروز است."],
    ["ar", "هذه جملة عادية عن طقس يوم أمس في المدينة."],
    ["hi", "यह कल के मौसम के बारे में एक सामान्य वाक्य है।"],
    ["ja", "これは昨日の天気についての普通の文です。"],
    ["ko", "이것은 어제 날씨에 대한 평범한 문장입니다."],
    ["zh-cn", "这是一个关于昨天天气的普通句子，没有什么特别的。"],
    ["zh-tw", "這是一個關於昨天天氣的普通句子，沒有什麼特別的。"],
    ["th", "นี่คือประโยคธรรมดาเกี่ยวกับสภาพอากาศเมื่อวานนี้"],
    ["kn", "ಇದು ನಿನ್ನೆಯ ಹವಾಮಾನದ ಬಗ್ಗೆ ಒಂದು ಸಾಮಾನ್ಯ ವಾಕ್ಯ."],
  ])("%s", (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it("cannot be told where nothing speaks for one: no letters, only addresses, a script of no profile", () => {
    for (const text of ["", "12345 !?", "https://example.org/deutsch", "post@example.org", "ᚠᚢᚦ", "😀"]) {
      expect(detectLanguages(text)).toBeUndefined();
    }
  });

  it("is not looked for in addresses, nor in a few Latin words of another script's text", () => {
    const russian = "Это обычное предложение о вчерашней погоде";
    expect(detectLanguages(`${russian} weather`)).toEqual(detectLanguages(`${russian} `));
    expect(detectLanguages("Guten Tag https://a.b/the-weather und")).toEqual(
      detectLanguages("Guten Tag   und"),
    );
  });

  it("composes Vietnamese letters and marks first", () => {
    const composed = "Đây là một câu bình thường về thời tiết ngày hôm qua.";
    expect(detectLanguages(composed.normalize("NFD").normalize("NFC"))).toEqual(detectLanguages(composed));
    expect(detectLanguage("ê\u0323nh thu\u031bo\u031b\u0300ng")).toBe("vi");
  });

  it("hangs on the seed only in its digits, where the text is clear", () => {
    const text = "This is an ordinary sentence about the weather of yesterday.";
    expect(detectLanguages(text, 0)).toEqual(detectLanguages(text, 0));
    expect(detectLanguages(text, 0)).not.toEqual(detectLanguages(text, 1));
    for (let seed = 0; seed < 20; seed++) expect(detectLanguage(text, seed)).toBe("en");
  });

  it("reads the first 10,000 characters", () => {
    const english = "This is an ordinary sentence about the weather. ".repeat(250);
    expect(detectLanguages(english + "ß".repeat(50_000))).toEqual(detectLanguages(english));
  });

  it("has probabilities above 0.1 that fall and sum to at most 1, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const found = detectLanguages(text) ?? [];
        const probabilities = found.map(({ probability }) => probability);
        expect(probabilities).toEqual([...probabilities].sort((one, other) => other - one));
        for (const probability of probabilities) expect(probability).toBeGreaterThan(0.1);
        expect(probabilities.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});
