import { normalHex } from '@pesewa/pages/colors'
import type { api, InputOf, ResultOf } from '../../api/client.ts'
import type { FormReader } from '../../parts/form-reader.ts'
import { moneyInputValue } from '../../text/money.ts'
import type { Values } from './draft.ts'

export type SpaceSettings = ResultOf<typeof api.settings.retrieve>
type SettingsChange = NonNullable<InputOf<typeof api.settings.update>>

const brandTexts = [
  'name',
  'color',
  'supportEmail',
  'supportPhone',
  'termsUrl',
  'address',
  'taxNumber',
] as const
export type BrandText = (typeof brandTexts)[number]

export const limitKinds = ['payoutApprovalAbove', 'refundApprovalAbove'] as const
type LimitKind = (typeof limitKinds)[number]

/** Returns the currencies with a limit of this kind, and the Space's own currency first. */
export const currenciesOf = (settings: SpaceSettings, kind: LimitKind, own: string) => [
  ...new Set([own, ...settings[kind].map(({ currency }) => currency)]),
]

/** Returns the name of the field for a limit. */
export const limitName = (kind: LimitKind, currency: string) => `${kind} ${currency}`

/** Returns the texts of all fields that show these settings. `own` is the Space's own currency. */
export const valuesOf = (settings: SpaceSettings, own: string): Values => ({
  ...Object.fromEntries(brandTexts.map((name) => [name, settings.brand[name]?.trim() ?? ''])),
  ...Object.fromEntries(
    limitKinds.flatMap((kind) =>
      currenciesOf(settings, kind, own).map((currency) => {
        const limit = settings[kind].find((one) => one.currency === currency)
        return [limitName(kind, currency), limit ? moneyInputValue(limit) : '']
      }),
    ),
  ),
  refundsWhenShort: settings.refundsWhenShort,
  returnsPaymentFee: settings.returnsPaymentFee ? 'yes' : 'no',
  receiptsBySms: settings.receiptsBySms ? 'yes' : 'no',
})

type Reading = {
  settings: SpaceSettings
  own: string
  isChanged(...names: string[]): boolean
  /** Undefined if the user has not changed the logo. */
  logo: string | null | undefined
  notAColor: string
}

/** Reads the settings that the user has changed. A list of limits is sent as a whole. */
export function readChange(form: FormReader, { settings, own, isChanged, logo, notAColor }: Reading) {
  const change: SettingsChange = {}
  const changedTexts = brandTexts.filter((name) => isChanged(name))
  if (changedTexts.length > 0 || logo !== undefined) {
    change.brand = {
      ...Object.fromEntries(changedTexts.map((name) => [name, form.textOrNull(name)])),
      ...(isChanged('color') && { color: readColorField(form, notAColor) }),
      ...(logo !== undefined && { logo }),
    }
  }
  for (const kind of limitKinds) {
    const currencies = currenciesOf(settings, kind, own)
    if (isChanged(...currencies.map((currency) => limitName(kind, currency))))
      change[kind] = currencies.flatMap((currency) => readLimit(form, kind, currency))
  }
  if (isChanged('refundsWhenShort'))
    change.refundsWhenShort = form.choice<SpaceSettings['refundsWhenShort']>('refundsWhenShort')
  if (isChanged('returnsPaymentFee')) change.returnsPaymentFee = form.text('returnsPaymentFee') === 'yes'
  if (isChanged('receiptsBySms')) change.receiptsBySms = form.text('receiptsBySms') === 'yes'
  return change
}

function readColorField(form: FormReader, notAColor: string): string | null {
  const text = form.textOrNull('color')
  const color = text === null ? null : readColor(text)
  if (color === undefined) form.refuse('color', notAColor)
  return color ?? null
}

/** Parses a hex color, such as `0f6b4f` or `#abc`, into the form `#rrggbb`. Returns `undefined` if it is not one. */
export const readColor = (text: string) => normalHex(`#${text.trim().replace(/^#/, '')}`)

function readLimit(form: FormReader, kind: LimitKind, currency: string) {
  const name = limitName(kind, currency)
  // Zero is a limit, although it is no amount.
  if (/^0+([.,]0+)?$/.test(form.text(name))) return [{ currency, value: 0 }]
  return form.amountOrNull(name, currency) ?? []
}
