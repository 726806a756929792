import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { languages } from './language.ts'
import { texts } from './texts.ts'

test('all languages have the same texts', () => {
  for (const language of languages) assert.deepEqual(keysOf(texts[language]), keysOf(texts.en), language)
})

test('no text is untranslated or empty', () => {
  // Names, and words that are the same in both languages.
  const shared = new Set(['total', 'ways.momo', 'waiting.code.label'])
  const [english, french] = [sentencesOf(texts.en), sentencesOf(texts.fr)]
  for (const [key, sentence] of english) {
    assert(french.get(key)?.trim(), key)
    if (!shared.has(key) && /\p{L}{3}/u.test(sentence)) assert.notEqual(french.get(key), sentence, key)
  }
})

test('a French colon is not separated from its word', () => {
  for (const [key, sentence] of sentencesOf(texts.fr)) assert.doesNotMatch(sentence, / [:;?!]/, key)
})

test('templates contain no text of their own', () => {
  for (const name of readdirSync(import.meta.dirname).filter((file) => file.endsWith('.eta'))) {
    const template = readFileSync(new URL(name, import.meta.url), 'utf8').replace(/<%.*?%>/gs, '')
    const text = template.replace(/<style.*?<\/style>/gs, '').replace(/<[^>]*>/g, '')
    assert.doesNotMatch(text, /\p{L}/u, name)
    assert.doesNotMatch(template, /\s(?:alt|title|aria-label|placeholder)="[^"]*\p{L}/u, name)
  }
  const script = readFileSync(new URL('checkout.js', import.meta.url), 'utf8')
  assert.doesNotMatch(script, /(?:textContent|innerText|innerHTML|ariaLabel|title) = ['"`]\w/)
})

type Node = string | Node[] | { [key: string]: Node } | ((...given: never[]) => Node)

function keysOf(node: Node, path = ''): string[] {
  if (typeof node !== 'object' || Array.isArray(node)) return [`${path} ${typeof node}`]
  return Object.entries(node).flatMap(([key, child]) => keysOf(child, path ? `${path}.${key}` : key))
}

/** Returns each sentence, with placeholder names for its parameters. */
function sentencesOf(node: Node, path = ''): Map<string, string> {
  if (typeof node === 'string') return new Map([[path, node]])
  if (typeof node === 'function') return sentencesOf(node(...(['7', '8'] as never[])), path)
  return new Map(
    Object.entries(node).flatMap(([key, child]) => [
      ...sentencesOf(child as Node, path ? `${path}.${key}` : key),
    ]),
  )
}
