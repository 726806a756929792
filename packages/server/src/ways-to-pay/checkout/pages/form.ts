import { failureNamed, type ProviderType } from '@pesewa/connector-kit'
import { hasKey, keysOf } from '@pesewa/values'
import { brandColors } from './color.ts'
import { formatTime, type Language } from './language.ts'
import { monogram, ownPath } from './parts.ts'
import { type Texts, texts } from './texts.ts'
import {
  type AccountField,
  accountFields,
  type CheckoutState,
  type FormIssue,
  type OfferedProvider,
} from './view.ts'

type Choose = Extract<CheckoutState, { kind: 'choose' }>

/** Attributes of the input field, by type of account. Bank account numbers and wallet ids have no common format. */
const attributes: Record<AccountField, Record<string, string>> = {
  phone: { type: 'tel', inputmode: 'tel', autocomplete: 'tel', maxlength: '32' },
  accountNumber: { ...plainText(), maxlength: '32' },
  walletId: { ...plainText(), maxlength: '64' },
}

/** Returns attributes that turn off auto-correction, which would change ids. */
function plainText() {
  return { type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' }
}

/** Prepares the form for its template. Each payment method has its own form, with its providers and field. */
export function presentForm(state: Choose, language: Language, total: string) {
  const t = texts[language]
  const tiles = tilesOf(state.providers)
  const groups = [...Map.groupBy(state.providers, ({ type }) => type)]
  const [only] = groups.length === 1 ? groups : []
  const faulty = keysOf(accountFields).find((type) => accountFields[type] === state.fault?.field)
  const issue = state.fault?.code === 'otherNetwork' ? state.fault : undefined
  const open = faulty ?? state.way ?? state.providers[0]?.type
  return {
    ...state,
    payAction: ownPath(state.payAction),
    cancelAction: state.cancelAction && ownPath(state.cancelAction),
    heading: only ? t.choose.headings[only[0]] : t.choose.heading,
    tiles,
    isMixed: groups.length > 1,
    ways: groups.map(([type, ofType]) => {
      const providers = ofType.map((provider) => presentProvider(provider, state, issue, tiles, t))
      return {
        type,
        name: t.ways[type],
        isOpen: type === open,
        logos: ofType
          .flatMap(({ logo, networkLogos = [] }) => (type === 'card' ? networkLogos : (logo ?? [])))
          .slice(0, maxLogos)
          .map(ownPath),
        providers,
        lit: providers.find(({ isLit }) => isLit),
        field: presentField(state, type, language),
        hint: type === 'card' ? t.choose.cardHint : undefined,
        action: actionOf(type, ofType, total, t),
        isFaulty: type === open && state.fault?.field === 'provider',
      }
    }),
    failureText: state.failure && failureText(state.failure, t),
    faultText: state.fault && faultText(state.fault, state.phoneExample, open, t),
    /** The network of the number, which is selected instead of the chosen one, and the button to insist on that. */
    otherNetwork: issue && {
      instead: issue.instead?.id,
      anyway: !issue.isCertain && {
        value: issue.chosen.id,
        text: t.otherNetwork.anyway(issue.chosen.name),
      },
    },
    open: state.open && {
      ...state.open,
      waitUrl: ownPath(state.open.waitUrl),
      text: t.another.open(state.open.account ?? state.open.provider),
    },
    dial: state.dial && { ...state.dial, action: ownPath(state.dial.action) },
    until: state.expiry && t.choose.until(formatTime(state.expiry.at, language, state.expiry.timeZone)),
  }
}

type OtherNetwork = Extract<FormIssue, { code: 'otherNetwork' }>

const maxLogos = 4 // number of logos that are shown next to a payment method

function presentProvider(
  { id, name, unavailable, color, logo, prefixes = [] }: OfferedProvider,
  { provider, phone = '', dialCode = '+' }: Choose,
  issue: OtherNetwork | undefined,
  tiles: ReturnType<typeof tilesOf>,
  { choose }: Texts,
) {
  return {
    id,
    name,
    unavailable,
    monogram: monogram(name),
    logo: logo && ownPath(logo),
    tile: tiles.find(({ fill }) => color !== undefined && fill === brandColors(color).brand)?.name ?? '',
    prefixes: prefixes.map((prefix) => withoutDialCode(prefix, dialCode)).join(' '),
    isChosen: id === (issue?.instead?.id ?? provider) && unavailable === undefined,
    /** True if the payer's number, from an earlier attempt, chooses this provider. */
    isLit: !provider && unavailable === undefined && prefixes.some((prefix) => phone.startsWith(prefix)),
    not: choose.not(name),
  }
}

/** Returns the label of the button that starts the payment or leads to the provider's page. */
function actionOf(
  type: ProviderType,
  providers: OfferedProvider[],
  total: string,
  { choose }: Texts,
): string {
  if (type === 'card') return choose.goOn.card
  const [provider, ...more] = providers
  if (!provider || !providers.every(({ hasPage }) => hasPage)) return choose.pay(total)
  if (type === 'bank') return choose.goOn.bank
  return more.length === 0 ? choose.goOn.other(provider.name) : choose.pay(total)
}

/**
 * Returns the colours of the providers' tiles, each with a legible text colour. Each pair has a class name for
 * the style sheet in the page.
 */
function tilesOf(providers: OfferedProvider[]) {
  const colors = providers.flatMap(({ color }) => (color ? [brandColors(color)] : []))
  const inks = new Map(colors.map(({ brand, onBrand }) => [brand, onBrand]))
  return [...inks].map(([fill, ink], i) => ({ name: `tile-${i}`, fill, ink }))
}

function faultText(
  fault: FormIssue,
  example: string | undefined,
  type: ProviderType | undefined,
  t: Texts,
): string {
  switch (fault.code) {
    case 'askedOften':
      return t.askedOften(fault.waitMinutes)
    case 'alreadyAsked':
      return t.another.alreadyAsked
    case 'otherNetwork':
      return [
        t.otherNetwork[fault.isCertain ? 'certain' : 'likely'](fault.looksLike, fault.chosen.name),
        ...(fault.instead ? [t.otherNetwork.instead(fault.instead.name)] : []),
      ].join(' ')
    default:
      if (fault.field === 'phone') return t.faults.phone(example)
      if (fault.field === 'provider' && fault.code === 'missing' && type === 'momo') return t.faults.network
      return t.faults[fault.field][fault.code]
  }
}

/** Returns the field for the payer's account. A card has none, because its number is entered on the card page. */
function presentField(state: Choose, type: ProviderType, language: Language) {
  if (type === 'card') return undefined
  const name = accountFields[type]
  const isFaulty = state.fault?.field === name
  const dialCode = name === 'phone' ? state.dialCode : undefined
  const described = [isFaulty && `${name}-fault`, dialCode && 'dial-code', `${name}-hint`]
  return {
    name,
    attributes: Object.entries(attributes[name]),
    ...texts[language].fields[name],
    dialCode,
    value: withoutDialCode(state[name] ?? '', dialCode, state.phoneExample),
    isFaulty,
    describedBy: described.filter(Boolean).join(' '),
  }
}

/** Returns the cause that the rail reported or, if it is not known, what the failure code means. */
function failureText({ code, message, type }: NonNullable<Choose['failure']>, t: Texts): string {
  const cause = failureNamed(message)
  if (cause === 'payerDeclined' && type === 'momo') return t.declinedOnPhone
  if (cause && hasKey(t.causes, cause)) return t.causes[cause]
  return hasKey(t.failures, code) ? t.failures[code] : t.failures.unknown
}

/**
 * Replaces the dial code, which is displayed in front of the field. The rest is written like the example, which
 * starts with 0 in most countries.
 */
function withoutDialCode(phone: string, dialCode: string | undefined, example = ''): string {
  if (dialCode === undefined || !phone.startsWith(dialCode)) return phone
  return `${example.startsWith('0') ? '0' : ''}${phone.slice(dialCode.length).trim()}`
}
