import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokens, isToken, lifeMsOf, sendWithToken } from './rail-tokens.ts'

const lives: [lifeMs: number, goodForMs: number][] = [
  [3_600_000, 3_540_000],
  [180_000, 135_000],
  [0, 0],
]

for (const [lifeMs, goodForMs] of lives)
  test(`a token of ${lifeMs} ms is used for ${goodForMs}, then replaced`, async () => {
    let [now, issued] = [1_000, 0]
    const tokens = createTokens(
      async () => ({ token: `token-${++issued}`, lifeMs }),
      () => now,
    )
    await tokens.current()
    now += goodForMs - 1
    if (goodForMs > 0) assert.equal(await tokens.current(), 'token-1')
    now += 1
    assert.equal(await tokens.current(), 'token-2')
  })

test('all who wait for a token share one request', async () => {
  let issued = 0
  const tokens = createTokens(async () => ({ token: `token-${++issued}`, lifeMs: 3_600_000 }))
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => tokens.current())), Array(3).fill('token-1'))
})

test('a refused token is replaced once, and the message sent again with the new one', async () => {
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

test('the life of a token is seconds, as a number or as text', () => {
  assert.deepEqual([3599, '3599', 'soon', null, undefined].map(lifeMsOf), [3_599_000, 3_599_000, 0, 0, 0])
})

test('a token may stand in a header', () => {
  assert.deepEqual(['abc.DEF=', 'two words', 'a\n', '', 7].map(isToken), [true, false, false, false, false])
})
