import { readFileSync } from 'node:fs'
import path from 'node:path'
import { code, writtenByCode } from './markdown.ts'

const root = path.resolve(import.meta.dirname, '../..')
const end = '<!-- End of the generated part. -->'

/** Guides that show files, because readers of `/docs` do not have them, and the language of each file. */
const shownFiles = {
  'docs/guides/high-availability.md': {
    'deploy/high-availability/etcd.env': 'env',
    'deploy/high-availability/patroni.env': 'env',
    'deploy/high-availability/patroni.yml': 'yaml',
    'deploy/high-availability/haproxy.cfg': '',
    'deploy/high-availability/postgresql-manual.conf': 'ini',
  },
  'docs/guides/upgrades.md': {
    'deploy/haproxy/pesewa.cfg': '',
  },
}

/** Returns these guides with the current text of each file. */
export const writeShownFiles = () =>
  Object.entries(shownFiles).map(([guide, files]) => ({ file: guide, text: writeGuide(guide, files) }))

function writeGuide(guide: string, files: Record<string, string>): string {
  let text = read(guide)
  for (const [file, language] of Object.entries(files)) {
    const head = writtenByCode(code(file))
    const before = text.indexOf(head)
    const after = text.indexOf(end, before)
    if (before < 0 || after < 0) throw new Error(`${guide} has no markers for ${file}`)
    const shown = `${head}\n\n\`\`\`${language}\n${read(file).trimEnd()}\n\`\`\`\n\n`
    text = text.slice(0, before) + shown + text.slice(after)
  }
  return text
}

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
