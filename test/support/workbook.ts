import { zipArchive } from "./zipArchive.js";

/** A workbook of one sheet, by ECMA-376: texts inline, numbers and truth values as such, null for no cell. */
export function workbook(rows: readonly (readonly (string | number | boolean | null)[])[]): Buffer {
  const cells = (row: readonly (string | number | boolean | null)[], line: number) =>
    row.map((value, column) => {
      const place = `${String.fromCharCode(65 + column)}${line}`;
      if (value === null) return "";
      if (typeof value === "number") return `<c r="${place}"><v>${value}</v></c>`;
      if (typeof value === "boolean") return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`;
      const text = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
    });
  const lines = rows.map((row, index) => `<row r="${index + 1}">${cells(row, index + 1).join("")}</row>`);
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packages = "http://schemas.openxmlformats.org/package/2006";
  const related = (type: string, target: string) =>
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/${type}" Target="${target}"/></Relationships>`;
  const files: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    "_rels/.rels": related("officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": related("worksheet", "worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${lines.join("")}</sheetData></worksheet>`,
  };
  return zipArchive(
    Object.entries(files).map(([name, text]) => ({
      name,
      content: `<?xml version="1.0" encoding="UTF-8"?>${text}`,
    })),
  );
}
