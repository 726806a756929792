import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokens, isToken, lifeMsOf, NoToken, sendWithToken } from './rail-tokens.ts'

const lives: [lifeMs: number, goodForMs: number][] = [
  [3_600_000, 3_540_000],
  [180_000, 135_000],
  [0, 0],
]

/** Creates tokens with a clock and responses that the test controls. */
function startTokens(lifeMs: number) {
  const rail = { now: 1_000, requested: 0, answer: () => Promise.resolve() }
  const tokens = createTokens(
    async () => {
      const token = `token-${++rail.requested}`
      await rail.answer()
      return { token, lifeMs }
    },
    () => rail.now,
  )
  return { rail, tokens }
}

for (const [lifeMs, goodForMs] of lives)
  test(`a token with a lifetime of ${lifeMs} ms is used for ${goodForMs} ms, then callers wait for the next`, async () => {
    const { rail, tokens } = startTokens(lifeMs)
    await tokens.current()
    rail.answer = () => Promise.reject(new NoToken('the rail is unavailable'))
    rail.now += goodForMs - 1
    if (goodForMs > 0) assert.equal(await tokens.current(), 'token-1')
    rail.now += 1
    await assert.rejects(tokens.current(), NoToken)
    rail.answer = () => Promise.resolve()
    assert.equal(await tokens.current(), `token-${rail.requested}`)
  })

test('a token is replaced shortly before it expires, so that no caller waits for the next one', async () => {
  const { rail, tokens } = startTokens(3_600_000)
  await tokens.current()
  const slow = Promise.withResolvers<void>()
  rail.answer = () => slow.promise
  rail.now += 2_699_999
  assert.equal(await tokens.current(), 'token-1')
  assert.equal(rail.requested, 1)
  rail.now += 1
  for (const _ of [1, 2, 3]) assert.equal(await tokens.current(), 'token-1')
  slow.resolve()
  await new Promise(setImmediate)
  assert.equal(await tokens.current(), 'token-2')
  assert.equal(rail.requested, 2)
})

test('concurrent callers share one token request', async () => {
  let issued = 0
  const tokens = createTokens(async () => ({ token: `token-${++issued}`, lifeMs: 3_600_000 }))
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => tokens.current())), Array(3).fill('token-1'))
})

test('a rejected token is replaced once, and the message is repeated with the new one', async () => {
  let issued = 0
  const tokens = createTokens(async () => ({ token: `token-${++issued}`, lifeMs: 3_600_000 }))
  const sent: string[] = []
  const send = async (token: string) => {
    sent.push(token)
    return token
  }
  assert.equal(await sendWithToken(tokens, send, () => true), 'token-2')
  assert.deepEqual(sent, ['token-1', 'token-2'])
  assert.equal(await sendWithToken(tokens, send, () => false), 'token-2')
})

test('the lifetime of a token is in seconds, as a number or as text', () => {
  assert.deepEqual([3599, '3599', 'soon', null, undefined].map(lifeMsOf), [3_599_000, 3_599_000, 0, 0, 0])
})

test('a token must fit into a header', () => {
  assert.deepEqual(['abc.DEF=', 'two words', 'a\n', '', 7].map(isToken), [true, false, false, false, false])
})
