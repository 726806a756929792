import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countries, maxAmount } from '@pesewa/values'
import fc from 'fast-check'
import { cutTo, maxSeptets, septetsOf, toGsm7 } from '../../platform/gsm7.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import {
  amountScreen,
  confirmScreen,
  finalReply,
  lockedOutText,
  openReply,
  type PaymentDetails,
  pausedText,
  showMoney,
} from './screens.ts'
import { menuLanguages, menuTexts } from './texts.ts'

const currencies = [...new Set(countries.flatMap(({ supportedCurrencies }) => supportedCurrencies))]
const providers = loadCatalogue()
  .list('momo')
  .map(({ name }) => name)
const longest = { name: 'ÄÖ€{'.repeat(16), payee: `${'[Ünïted Traders]'.repeat(6)}Ltd.` }

/** Asserts that a text fits and contains only characters that handsets can display. */
function assertShown(text: string) {
  const septets = septetsOf(text)
  assert.ok(septets !== undefined && septets <= maxSeptets, `${septets} septets: ${JSON.stringify(text)}`)
}

for (const language of menuLanguages)
  describe(`in ${language}`, () => {
    const words = menuTexts[language]

    test('every text fits with the longest possible values, in every currency', () => {
      for (const currency of currencies) {
        const bill: PaymentDetails = { ...longest, currency }
        const shown = showMoney(language, currency, BigInt(maxAmount))
        for (const { text } of [
          confirmScreen(language, bill, BigInt(maxAmount)),
          amountScreen(language, bill),
          amountScreen(language, bill, true),
        ])
          assertShown(text)
        for (const provider of providers) assertShown(words.pinPrompt(provider, shown))
      }
      for (const provider of providers) {
        assertShown(words.paused(provider))
        assertShown(finalReply(pausedText(language, provider, 'Ünïted [€] '.repeat(20))).text)
      }
      assertShown(lockedOutText(language, 30 * 86_400_000))
      for (const text of Object.values(words)) if (typeof text === 'string') assertShown(text)
    })

    test('amount and choices are never cut; name and payee are shown as far as they fit', () => {
      const { text } = confirmScreen(language, { ...longest, currency: 'SLE' }, BigInt(maxAmount))
      assert.ok(text.includes(showMoney(language, 'SLE', BigInt(maxAmount))))
      assert.ok(text.includes(`1 ${words.pay}\n2 ${words.cancel}\n3 `))
      assert.ok(septetsOf(text)! >= maxSeptets - 4)
      const short = confirmScreen(language, { name: 'Rent', payee: longest.payee, currency: 'SLE' }, 1n)
      assert.match(short.text, /^Rent\n/)
    })
  })

test('any text from a merchant is shown in the handset alphabet, on one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.nat(182), (written, room) => {
      const shown = toGsm7(written)
      assert.ok(septetsOf(shown) !== undefined && !shown.includes('\n'))
      if (room >= 2) assert.ok(septetsOf(cutTo(shown, room))! <= room)
      for (const reply of [openReply(shown), finalReply(shown)]) assertShown(reply.text)
    }),
  )
})

test('unsupported accents are dropped, but letters are kept', () => {
  assert.equal(toGsm7('Awoko’s “Bɔŋ” – façade, crêpe, Ñandú €5'), 'Awoko\'s "Bong" - facade, crepe, Ñandu €5')
  assert.equal(toGsm7('  two\n lines\t漢 '), 'two lines ?')
})
