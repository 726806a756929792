import { readFileSync } from 'node:fs'
import path from 'node:path'
import { code, writtenByCode } from './markdown.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = 'deploy/high-availability'
const guide = 'docs/guides/high-availability.md'
const end = '<!-- End of the generated part. -->'

/** Files that the guide shows, and the language of each. */
const shownFiles = {
  'etcd.env': 'env',
  'patroni.env': 'env',
  'patroni.yml': 'yaml',
  'haproxy.cfg': '',
  'postgresql-manual.conf': 'ini',
}

/** Returns the guide with the current text of each file, because readers of `/docs` do not have the files. */
export function writeHighAvailability(text = readFileSync(path.join(root, guide), 'utf8')): string {
  let guideText = text
  for (const [file, language] of Object.entries(shownFiles)) {
    const head = writtenByCode(code(`${folder}/${file}`))
    const before = guideText.indexOf(head)
    const after = guideText.indexOf(end, before)
    if (before < 0 || after < 0) throw new Error(`${guide} has no markers for ${file}`)
    const content = readFileSync(path.join(root, folder, file), 'utf8').trimEnd()
    const shown = `${head}\n\n\`\`\`${language}\n${content}\n\`\`\`\n\n`
    guideText = guideText.slice(0, before) + shown + guideText.slice(after)
  }
  return guideText
}
