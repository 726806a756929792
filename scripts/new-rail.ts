import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run new-rail -- <name> [--title "Wave Money"]`: creates the folder of a rail from
 * `scripts/new-rail/template/`, and adds its line to `packages/rails/index.ts`.
 */
const root = path.resolve(import.meta.dirname, '..')
const template = path.join(import.meta.dirname, 'new-rail/template')
const rails = path.join(root, 'packages/rails')
const index = path.join(rails, 'index.ts')
const usage = 'Usage: npm run new-rail -- <name> [--title "Wave Money"]'
const maxLength = 40

const templates = readdirSync(template, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(template, path.join(entry.parentPath, entry.name)))

try {
  const { name, title } = readArguments()
  createFolder(name, title)
  writeFileSync(index, withLine(readFileSync(index, 'utf8'), name))
  format(path.join(rails, name), index)
  console.log(nextSteps(name))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function readArguments(): { name: string; title: string } {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { title: { type: 'string' } },
  })
  const [name = '', ...others] = positionals
  if (name === '' || others.length > 0) throw new Error(usage)
  const { title = titleOf(name) } = values
  const issue = nameIssue(name) ?? titleIssue(title)
  if (issue) throw new Error(issue)
  return { name, title }
}

function nameIssue(name: string): string | undefined {
  if (name.length > maxLength || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return `${JSON.stringify(name)} is not a valid name: use up to ${maxLength} lower-case letters, digits and single hyphens, such as wave-money`
  if (existsSync(path.join(rails, name))) return `packages/rails/${name} exists already`
  const variable = camelCase(name)
  if (wordsIn(readFileSync(index, 'utf8')).has(variable))
    return `packages/rails/index.ts already uses the name ${variable}`
  const code = templates.filter((file) => file.endsWith('.ts'))
  if (code.some((file) => wordsIn(readFileSync(path.join(template, file), 'utf8')).has(variable)))
    return `the code of every rail uses the word ${variable}: choose a longer name, such as ${name}-money`
  return undefined
}

/** The title is part of strings, comments and documents, so it must not have a meaning in any of them. */
function titleIssue(title: string): string | undefined {
  return title.length <= maxLength && /^[\p{L}\p{N}](?:[\p{L}\p{N} .&’-]*[\p{L}\p{N}])?$/u.test(title)
    ? undefined
    : `${JSON.stringify(title)} is not a valid title: use up to ${maxLength} letters, digits, spaces and hyphens`
}

function wordsIn(code: string): Set<string> {
  return new Set(code.match(/[A-Za-z_][A-Za-z0-9_]*/g))
}

/** `wave-money` becomes `Wave Money`. */
function titleOf(name: string): string {
  return name.replace(/(?:^|-)(.)/g, (_, first: string) => ` ${first.toUpperCase()}`).trim()
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, first: string) => first.toUpperCase())
}

function createFolder(name: string, title: string): void {
  const replacements: Record<string, string> = {
    'example-rail': name,
    exampleRail: camelCase(name),
    ExampleRail: titleOf(name).replaceAll(' ', ''),
    'Example Rail': title,
    // The date since which the provider is in the catalogue.
    '2026-01-01': new Date().toISOString().slice(0, 10),
  }
  const pattern = new RegExp(Object.keys(replacements).join('|'), 'g')
  for (const file of templates) {
    const text = readFileSync(path.join(template, file), 'utf8')
    const target = path.join(rails, name, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(
      target,
      text.replace(pattern, (found) => replacements[found] ?? found),
    )
  }
}

/** Adds the rail's line in the order of the folders. */
function withLine(text: string, name: string): string {
  const lines = text.trimEnd().split('\n')
  const line = `export { rail as ${camelCase(name)} } from './${name}/index.ts'`
  const folderOf = (each: string) => / from '\.\/(.+)\/index\.ts'$/.exec(each)?.[1] ?? ''
  const at = lines.findIndex((each) => folderOf(each) > name)
  return `${lines.toSpliced(at < 0 ? lines.length : at, 0, line).join('\n')}\n`
}

/** Formats the files, because a longer or shorter name can change line breaks and the order of imports. */
function format(...files: string[]): void {
  const biome = path.join(root, 'node_modules/.bin/biome')
  const { status, stderr } = spawnSync(biome, ['check', '--write', '--colors=off', ...files], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the rail was created, but biome check --write failed:\n${stderr}`)
}

function nextSteps(name: string): string {
  return `Created packages/rails/${name} and its line in packages/rails/index.ts.

1. npm run write
   Adds the rail to the generated documents.
2. npm test -- packages/rails/${name}/*.test.ts packages/rails/conformance.test.ts \\
     test/fuzz/outcomes.test.ts test/scenarios/rails/providers/secrets.test.ts
   These tests pass. They show what is still missing while you change the code.
3. Replace the facts in README.md and providers.json, then the code, which has notes that start with "Replace:".

docs/guides/add-a-protocol.md explains what each file contains.`
}
