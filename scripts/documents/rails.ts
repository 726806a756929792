import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { code, page, table, writtenByCode } from './markdown.ts'

const folder = path.resolve(import.meta.dirname, '../../packages/rails')

/** Returns `packages/rails/README.md`, which lists the rails. */
export function writeRails(): string {
  const rails = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return page(
    writtenByCode('the README and the guide of each rail'),
    '# rails',
    'Each folder contains everything about one rail: the connector, its simulator, the fields of a connection, the providers, the guide for operators, and the tests. `index.ts` lists the rails, one line each.',
    table(
      ['Folder', 'Rail', 'For operators'],
      rails.map(({ name }) => rowOf(name)),
    ),
    '`npm run new-rail -- <name>` creates a folder with all of these files. [Adding a rail](../../docs/guides/add-a-protocol.md) explains the work.',
    'A simulator is loaded only if the simulator is on, and no other code may import it. `conformance.ts`, `fuzz.ts`, `secrets.ts` and `testing.ts` are only for tests.',
    'Uses [connector-kit](../connector-kit/README.md) and [values](../values/README.md).',
  )
}

function rowOf(name: string): string[] {
  const readme = readFileSync(path.join(folder, name, 'README.md'), 'utf8')
  const [, about] = /^# .+\n\n([\s\S]+?[.:])(?=\s)/.exec(readme) ?? []
  if (about === undefined)
    throw new Error(`packages/rails/${name}/README.md must start with its name and a sentence`)
  const text = about.replaceAll('\n', ' ').replace(/:$/, '.')
  // Links are relative to the rail's folder there.
  const sentence = text.replace(/\]\(([^):#]+)/g, (_, href: string) => `](${path.join(name, href)}`)
  return [`[${code(name)}](${name}/README.md)`, sentence, hasGuide(name) ? `[guide](${name}/guide.md)` : '']
}

/** Returns whether a rail has a guide for operators. */
export const hasGuide = (name: string) => existsSync(path.join(folder, name, 'guide.md'))
