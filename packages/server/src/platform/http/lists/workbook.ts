/** The parts of an XLSX file (ECMA-376) other than its sheets. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const xlsxType = `${spreadsheet}.sheet`

/** Number formats by id. Ids below 164 are built in. */
const formats = {
  164: 'yyyy-mm-dd hh:mm:ss',
  165: 'yyyy-mm-dd',
  166: '#,##0.0',
  167: '#,##0.000',
  168: '#,##0.0000',
}
/** Number formats of the cell styles, in their order. 49 is text: a cell stays text when its reader edits it. */
const formatOfStyle = [0, 49, 49, 1, 164, 165, 3, 166, 4, 167, 168]

/** Numbers of the cell styles. `decimals`: by the number of decimals of the currency. */
export const styles = {
  general: 0,
  header: 1,
  text: 2,
  whole: 3,
  'date-time': 4,
  date: 5,
  decimals: [6, 7, 8, 9, 10],
} as const

export const sheetBegin = (widths: readonly number[], isHidden: readonly boolean[]) =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" ` +
  'topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  `<cols>${widths
    .map(
      (width, i) =>
        `<col min="${i + 1}" max="${i + 1}" width="${width}" ${isHidden[i] ? 'hidden="1" ' : ''}customWidth="1"/>`,
    )
    .join('')}</cols><sheetData>`

export const sheetEnd = '</sheetData></worksheet>'

export const stylesPart = `${declaration}<styleSheet xmlns="${main}"><numFmts count="${Object.keys(formats).length}">${Object.entries(
  formats,
)
  .map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`)
  .join(
    '',
  )}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/>\
<name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill>\
<patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/>\
<diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>\
</cellStyleXfs><cellXfs count="${formatOfStyle.length}">${formatOfStyle
  .map(
    (format, style) =>
      `<xf numFmtId="${format}" fontId="${style === styles.header ? 1 : 0}" fillId="0" borderId="0" xfId="0" \
applyNumberFormat="1"${style === styles.header ? ' applyFont="1"' : ''}/>`,
  )
  .join(
    '',
  )}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

export const rootRelations = `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" \
Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const sheetsOf = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

/** Returns the list of the sheets. The second one and those after it have a number after the name. */
export const workbookPart = (name: string, sheetCount: number) =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheetsOf(sheetCount)
    .map((n) => `<sheet name="${n === 1 ? name : `${name} ${n}`}" sheetId="${n}" r:id="rId${n}"/>`)
    .join('')}</sheets></workbook>`

export const workbookRelations = (sheetCount: number) =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${sheetsOf(sheetCount)
    .map((n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
    .join(
      '',
    )}<Relationship Id="rId${sheetCount + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`

export const contentTypes = (sheetCount: number) =>
  `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" \
ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" \
ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${xlsxType}.main+xml"/><Override \
PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>${sheetsOf(sheetCount)
    .map(
      (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
    )
    .join('')}</Types>`
