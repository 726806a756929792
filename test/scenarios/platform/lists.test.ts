import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { entriesOf, openStock } from '../../support/examples.ts'
import { type Answer, type Merchant, startTestApp } from '../../support/harness.ts'
import { fund } from '../../support/money.ts'

const t = await startTestApp({ work: false, hasLiveProvider: true })
after(() => t.close())
const merchant = await t.merchant({ isOperator: true })
const live = await t.merchant({ sameUserAs: merchant, environment: 'live' })
const other = await t.merchant()
/** Creates a Space with exactly 120 objects. */
const busy = await t.merchant()

const session = { name: 'Order', lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 1 } }] }
const createSession = async (as: Merchant) =>
  (await as.call('POST', '/v1/checkout-sessions', session)).body.result.id as string

const idsOf = ({ body }: Answer): string[] => body.result.map(({ id }: { id: string }) => id)
const get = (path: string, as = merchant) => as.call('GET', path)

/** Follows `next` to the end, running `between` after each page. */
async function walk(path: string, between: () => Promise<unknown> = async () => {}): Promise<string[][]> {
  const pages: string[][] = []
  for (let after: string | null = ''; after !== null; ) {
    const answer = await get(`${path}&after=${encodeURIComponent(after)}`, busy)
    assert.equal(answer.status, 200)
    pages.push(idsOf(answer))
    after = answer.body.pagination.next
    await between()
  }
  return pages
}

const refusalOf = ({ status, body }: Answer) => `${status} ${body.error?.reason}`

describe('120 objects', () => {
  const made: string[] = []
  // Created one after the other, so that their order is known.
  const makeOne = async () => void made.unshift(await createSession(busy))
  before(async () => {
    while (made.length < 120) await makeOne()
  })

  test('come newest first, each exactly once, with any page size', async () => {
    for (const limit of [1, 7, 40, 50]) {
      const pages = await walk(`/v1/checkout-sessions?limit=${limit}`)
      assert.deepEqual(pages.flat(), made)
      assert.equal(pages.length, Math.ceil(120 / limit))
      assert.ok(pages.slice(0, -1).every((page) => page.length === limit))
    }
  })

  test('come exactly once each, even if others are created while paging', async () => {
    const known = [...made]
    const pages = await walk('/v1/checkout-sessions?limit=9', makeOne)
    assert.deepEqual(pages.flat(), known)
  })

  test('come ten at a time by default, and an empty or null `after` means the beginning', async () => {
    for (const query of [
      '',
      '?after=',
      '?after=null',
      '?limit=',
      '?limit=null',
      '?limit=10',
      '?after=&limit=null',
    ])
      assert.deepEqual(idsOf(await get(`/v1/checkout-sessions${query}`, busy)), made.slice(0, 10))
  })

  test('end with a null next, even if the last page is full', async () => {
    const few = await t.merchant()
    for (let i = 0; i < 4; i++) await createSession(few)
    const first = await get('/v1/checkout-sessions?limit=2', few)
    const second = await get(`/v1/checkout-sessions?limit=2&after=${first.body.pagination.next}`, few)
    assert.deepEqual(second.body.pagination, { count: 2, next: null })
    assert.deepEqual((await get('/v1/checkout-sessions?limit=4', few)).body.pagination, {
      count: 4,
      next: null,
    })
    assert.deepEqual((await get('/v1/checkout-sessions', await t.merchant())).body.pagination, {
      count: 0,
      next: null,
    })
  })

  test('can be paged with another token of the Space, and with a changing limit', async () => {
    const colleague = await t.merchant({ sameUserAs: busy })
    const { next } = (await get('/v1/checkout-sessions?limit=5', busy)).body.pagination
    assert.deepEqual(
      idsOf(await get(`/v1/checkout-sessions?limit=3&after=${next}`, colleague)),
      made.slice(5, 8),
    )
  })

  test('keep their order when the test clock jumps ahead', async () => {
    const traveller = await t.merchant()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      ids.unshift(await createSession(traveller))
      await t.advance(traveller.scope, 3_600_000)
    }
    assert.deepEqual(idsOf(await get('/v1/checkout-sessions', traveller)), ids)
  })
})

describe('the limit', () => {
  test('is 1 to 50', async () => {
    for (const limit of [1, 50]) assert.equal((await get(`/v1/payments?limit=${limit}`)).status, 200)
    for (const limit of ['0', '51', '-1', '1.5', 'ten', '1e1', '%201', '9'.repeat(20)]) {
      const { status, body } = await get(`/v1/payments?limit=${limit}`)
      assert.deepEqual([status, body.error.details[0].param], [400, 'limit'], limit)
    }
  })
})

describe('a cursor', () => {
  const accounts = [0, 1, 2].map((i) => ({ name: 'Rent', currency: 'SLE', reference: `ref ${i}` }))
  const cursorOf = async (path: string, as = merchant): Promise<string> => {
    const { next } = (await get(path, as)).body.pagination
    assert.ok(next, `${path} has no next page`)
    return next
  }
  before(async () => {
    for (const as of [merchant, live, other]) {
      for (const account of accounts) await as.call('POST', '/v1/financial-accounts', account)
      for (let i = 0; i < 2; i++) await createSession(as)
    }
  })

  test('is valid only for its own query: route, filters, Space and environment', async () => {
    const cursor = await cursorOf('/v1/financial-accounts?limit=1')
    assert.equal((await get(`/v1/financial-accounts?limit=1&after=${cursor}`)).status, 200)
    const elsewhere = [
      get(`/v1/checkout-sessions?after=${cursor}`),
      get(`/v1/payments?after=${cursor}`),
      get(`/v1/countries?after=${cursor}`),
      get(`/v1/financial-accounts?reference=x&after=${cursor}`),
      get(`/v1/financial-accounts?withBalance=true&after=${cursor}`),
      get(`/v1/financial-accounts?withBalance=false&after=${cursor}`),
      get(`/v1/financial-accounts?after=${cursor}`, live),
      get(`/v1/financial-accounts?after=${cursor}`, other),
    ]
    for (const answer of await Promise.all(elsewhere)) assert.equal(refusalOf(answer), '400 cursor_invalid')
    const filtered = await cursorOf('/v1/financial-accounts?limit=1&withBalance=true')
    assert.equal(
      refusalOf(await get(`/v1/financial-accounts?limit=1&after=${filtered}`)),
      '400 cursor_invalid',
    )
    assert.equal((await get(`/v1/financial-accounts?after=${filtered}&withBalance=true`)).status, 200)
  })

  test('of one list of providers is not valid for another', async () => {
    const cursor = await cursorOf('/v1/momos?limit=1')
    for (const path of ['/v1/banks?', '/v1/wallets?', '/v1/countries?', '/v1/momos?country=GH&'])
      assert.equal(refusalOf(await get(`${path}after=${cursor}`)), '400 cursor_invalid', path)
  })

  test('is refused if any character is changed, missing, doubled or added', async () => {
    const cursor = await cursorOf('/v1/financial-accounts?limit=1')
    const altered = [...cursor].flatMap((character, i) => {
      const [before, behind] = [cursor.slice(0, i), cursor.slice(i + 1)]
      const flipped = character === 'A' ? 'B' : 'A'
      // A lenient decoder would confuse some letters with the next one in the alphabet.
      const next = String.fromCharCode(character.charCodeAt(0) + 1)
      return [flipped, next, '', character + character, `${character}=`, ` ${character}`].map(
        (there) => before + there + behind,
      )
    })
    const tried = altered.filter((text) => text !== cursor)
    for (let i = 0; i < tried.length; i += 50)
      await Promise.all(
        tried.slice(i, i + 50).map(async (text) => {
          const answer = await get(`/v1/financial-accounts?after=${encodeURIComponent(text)}`)
          assert.equal(refusalOf(answer), '400 cursor_invalid', text)
        }),
      )
  })

  test('is refused if it is not a cursor', async () => {
    const id = await createSession(merchant)
    for (const text of ['x', '.', '..', 'undefined', 'NULL', id, 'x'.repeat(2000), '%F0%9F%A6%9C', 'a.b.c'])
      assert.equal(refusalOf(await get(`/v1/payments?after=${text}`)), '400 cursor_invalid', text)
    const { status, body } = await get(`/v1/payments?after=${'x'.repeat(2001)}`)
    assert.deepEqual([status, body.error.details[0].param], [400, 'after'])
  })
})

describe('payment codes', () => {
  test('can be filtered by mode, status and dialled code, each exactly once, newest first', async () => {
    const shop = await t.merchant()
    type Made = { id: string; mode: string; status: string; ussdCode: string }
    const made: Made[] = []
    for (let i = 0; i < 12; i++) {
      const body = { name: 'Fees', mode: i % 3 === 0 ? 'recurrent' : 'one_time' }
      const code = (await shop.call('POST', '/v1/payment-codes', body)).body.result
      const isCancelled = i % 2 === 0
      if (isCancelled) await shop.call('DELETE', `/v1/payment-codes/${code.id}`)
      made.unshift({ ...code, status: isCancelled ? 'cancelled' : 'pending' })
    }
    const walkCodes = async (query: string) => {
      const seen: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const answer = await get(`/v1/payment-codes?limit=3&after=${after}${query}`, shop)
        assert.equal(answer.status, 200)
        seen.push(...idsOf(answer))
        after = answer.body.pagination.next
      }
      return seen
    }
    for (const mode of [undefined, 'one_time', 'recurrent'])
      for (const status of [undefined, 'pending', 'processing', 'cancelled']) {
        const query = `${mode ? `&mode=${mode}` : ''}${status ? `&status=${status}` : ''}`
        const wanted = made.filter(
          (code) => (!mode || code.mode === mode) && (!status || code.status === status),
        )
        assert.deepEqual(
          await walkCodes(query),
          wanted.map(({ id }) => id),
          query,
        )
      }
    const { id, ussdCode } = made[5]!
    const dialled = encodeURIComponent(ussdCode)
    assert.deepEqual(await walkCodes(`&ussd_code=${dialled}`), [id])
    assert.deepEqual(await walkCodes(`&ussd_code=${dialled}&mode=${made[5]!.mode}&status=completed`), [])
    for (const text of ['x', '*', '#', ussdCode.slice(0, -1), ussdCode.slice(5, -1), `${ussdCode}1`, '%'])
      assert.deepEqual(await walkCodes(`&ussd_code=${encodeURIComponent(text)}`), [], text)
  })
})

describe('countries and providers', () => {
  const sorted = [
    ['countries', 'code'],
    ['momos', 'providerId'],
    ['banks', 'providerId'],
    ['wallets', 'providerId'],
  ] as const
  for (const [name, key] of sorted)
    test(`${name} are ordered by ${key}, ascending, each exactly once`, async () => {
      for (const limit of [1, 2, 50]) {
        const seen: string[] = []
        for (let after: string | null = ''; after !== null; ) {
          const { body } = await get(`/v1/${name}?limit=${limit}&after=${after}`)
          seen.push(...body.result.map((entry: Record<string, string>) => entry[key]))
          after = body.pagination.next
        }
        assert.deepEqual(seen, [...new Set(seen)].sort())
        assert.ok(seen.length >= { countries: 30, momos: 9, banks: 3, wallets: 1 }[name])
      }
    })

  test('can be filtered by country; an unknown one is refused', async () => {
    const { body } = await get('/v1/momos?country=SL')
    assert.deepEqual(
      body.result.map(({ providerId }: { providerId: string }) => providerId),
      ['m17', 'm18'],
    )
    assert.deepEqual((await get('/v1/wallets?country=GH')).body.result, [])
    for (const country of ['XX', 'sl', 'S', 'SLE', 'US']) {
      const { status, body: refusal } = await get(`/v1/momos?country=${country}`)
      assert.deepEqual([status, refusal.error.details[0].param], [400, 'country'], country)
    }
  })
})

test('every list accepts limit and after, and only its own filters', async () => {
  const entries = await entriesOf(t)
  const stock = openStock(t, merchant, entries)
  // A payout batch is refused if the balance is too low.
  await fund(t.app.parts, merchant.scope, 10_000)
  for (const { route } of entries.filter(({ route }) => route.kind === 'list')) {
    const url = await stock.withIds(
      route.url.replace(':id', `${route.idKind?.prefix}-01kaj3v5w8e4r9tbn2m6c7d0xz`),
    )
    assert.equal((await get(`${url}?limit=1&after=null`)).status, 200)
    assert.deepEqual(
      (await get(`${url}?offset=1&page=2`)).body.error.details.map(({ param }: { param: string }) => param),
      ['offset', 'page'],
    )
  }
})
