import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { languages } from './language.ts'
import { texts } from './texts.ts'

test('all languages have the same texts', () => {
  for (const language of languages)
    assert.deepEqual(keysOf(texts[language]).toSorted(), keysOf(texts.en).toSorted(), language)
})

test('no text is untranslated or empty', () => {
  // Words that are the same in several languages.
  const shared = new Set([
    'total',
    'ways.momo',
    'ways.bank',
    'waiting.code.label',
    'causes.wrongPin',
    'verification.label',
  ])
  const english = sentencesOf(texts.en)
  for (const language of languages) {
    const translated = sentencesOf(texts[language])
    for (const [key, sentence] of english) {
      assert(translated.get(key)?.trim(), `${language} ${key}`)
      if (language !== 'en' && !shared.has(key) && /\p{L}{3}/u.test(sentence))
        assert.notEqual(translated.get(key), sentence, `${language} ${key}`)
    }
  }
})

test('every language uses what a text is about: the amount, the provider, the merchant', () => {
  const english = parametersOf(texts.en)
  for (const language of languages) assert.deepEqual(parametersOf(texts[language]), english, language)
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

/** Returns, for each sentence, which of its parameters it contains. */
function parametersOf(node: Node): Map<string, string[]> {
  return new Map(
    [...sentencesOf(node)].map(([key, sentence]) => [key, sentence.match(/\b[78]\b/g)?.toSorted() ?? []]),
  )
}
