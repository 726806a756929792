import { spawnSync } from 'node:child_process'

/** A cell as a spreadsheet program understands it. `format` is its number format. */
export type ReadCell = { type: string; text: string; format: string; isBold: boolean }
/** A sheet. `rows` contains the cells by the letters of their column; `pane` is the number of frozen rows. */
export type ReadSheet = {
  name: string
  pane: string
  widths: number[]
  isHidden: boolean[]
  rows: Record<string, ReadCell>[]
}

/**
 * Reads an XLSX file with Python's standard library, so that our writer is not checked by a reader of our own. Throws
 * if the archive is damaged, if a part is missing or is not well-formed XML, or if any cell contains a formula.
 */
export function readSpreadsheet(bytes: Buffer): ReadSheet[] {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: bytes,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`the XLSX file cannot be read: ${stderr}`)
  return JSON.parse(stdout)
}

const firstDayMs = Date.UTC(1899, 11, 30)
const dayMs = 86_400_000

/** Returns the rows of a sheet as the CSV has them, if the sheet shows times in UTC. */
export function asCsvRows({ rows: [header = {}, ...rows] }: ReadSheet): string[][] {
  const columns = Object.keys(header)
  return [header, ...rows].map((row) => columns.map((column) => asCsvCell(row[column])))
}

function asCsvCell(cell: ReadCell | undefined): string {
  if (!cell) return ''
  const { type, text, format } = cell
  if (type === 'b') return text === '1' ? 'true' : 'false'
  if (type !== 'inlineStr' && format.startsWith('yyyy')) {
    const time = new Date(Math.round(Number(text) * dayMs) + firstDayMs).toISOString()
    return format.includes('hh') ? time : time.slice(0, 'yyyy-mm-dd'.length)
  }
  return text
}

/** Returns a cell of the CSV without the apostrophe that keeps spreadsheets from evaluating it. */
export const withoutApostrophe = (cell: string) =>
  /^'[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell) ? cell.slice(1) : cell

const program = String.raw`
import io, json, re, sys, zipfile
from xml.etree import ElementTree

archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert archive.testzip() is None, 'damaged archive'
main = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
relation = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id'
part = lambda name: ElementTree.fromstring(archive.read(name))
relations = lambda name: {each.get('Id'): each.get('Target') for each in part(name)}
typed = {each.get('PartName'): each.get('ContentType') for each in part('[Content_Types].xml')}

assert list(relations('_rels/.rels').values()) == ['xl/workbook.xml']
styles = part('xl/styles.xml')
built_in = {'0': 'General', '1': '0', '3': '#,##0', '4': '#,##0.00', '49': '@'}
formats = {**built_in, **{each.get('numFmtId'): each.get('formatCode') for each in styles.iter(main + 'numFmt')}}
fonts = [font.find(main + 'b') is not None for font in styles.find(main + 'fonts')]
cell_styles = [(formats[each.get('numFmtId')], fonts[int(each.get('fontId'))]) for each in styles.find(main + 'cellXfs')]
unescape = lambda text: re.sub('_x([0-9A-Fa-f]{4})_', lambda found: chr(int(found[1], 16)), text)

def read_cell(cell):
    assert cell.find(main + 'f') is None, 'a formula'
    kind = cell.get('t', 'n')
    text = unescape(''.join(cell.itertext()))
    format, bold = cell_styles[int(cell.get('s', '0'))]
    return {'type': kind, 'text': text, 'format': format, 'isBold': bold}

def read_sheet(sheet, targets):
    target = targets[sheet.get(relation)]
    assert typed['/xl/' + target].endswith('.worksheet+xml')
    root = part('xl/' + target)
    rows = list(root.find(main + 'sheetData'))
    assert [row.get('r') for row in rows] == [str(n + 1) for n in range(len(rows))]
    panes = list(root.iter(main + 'pane'))
    return {
        'name': sheet.get('name'),
        'pane': panes[0].get('ySplit') + ' ' + panes[0].get('state') if panes else '',
        'widths': [float(col.get('width')) for col in root.iter(main + 'col')],
        'isHidden': [col.get('hidden') == '1' for col in root.iter(main + 'col')],
        'rows': [{re.sub(r'\d', '', cell.get('r')): read_cell(cell) for cell in row} for row in rows],
    }

targets = relations('xl/_rels/workbook.xml.rels')
print(json.dumps([read_sheet(sheet, targets) for sheet in part('xl/workbook.xml').find(main + 'sheets')]))
`
