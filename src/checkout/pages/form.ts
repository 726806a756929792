import { hasKey } from '../../platform/fields.ts'
import type { ProviderType } from '../../providers/provider.ts'
import { formatTime, type Language } from './language.ts'
import { monogram, ownPath } from './parts.ts'
import { type Texts, texts } from './texts.ts'
import { type AccountField, accountFields, type CheckoutState, type FormFault } from './view.ts'

type Choose = Extract<CheckoutState, { kind: 'choose' }>

/** How each account is typed. Ids of banks and wallets are letters and digits of no common form. */
const attributes: Record<AccountField, Record<string, string>> = {
  phone: { type: 'tel', inputmode: 'tel', autocomplete: 'tel', maxlength: '32' },
  accountNumber: { ...plainText(), maxlength: '32' },
  walletId: { ...plainText(), maxlength: '64' },
}

/** Without the keyboard's help, which would correct what is no word. */
function plainText() {
  return { type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' }
}

/** The form of the page as its template shows it: a group for each way to pay, with its providers and its field. */
export function presentForm(state: Choose, language: Language) {
  const t = texts[language]
  const [provider] = state.providers.length === 1 ? state.providers.filter(isAvailable) : []
  const chosen = state.provider ?? provider?.id
  const groups = [...Map.groupBy(state.providers, ({ type }) => type)]
  const [only] = groups.length === 1 ? groups : []
  return {
    ...state,
    payAction: ownPath(state.payAction),
    cancelAction: state.cancelAction && ownPath(state.cancelAction),
    heading: only ? t.choose.headings[only[0]] : t.choose.heading,
    legend: only && only[0] !== 'card' ? t.choose.provider : t.choose.way,
    isMixed: groups.length > 1,
    ways: groups.map(([type, providers]) => ({
      type,
      name: t.ways[type],
      providers: providers.map(({ id, name, unavailable }) => ({
        id,
        name: type === 'card' ? t.choose.card : name,
        monogram: monogram(name),
        isChosen: id === chosen && unavailable === undefined,
        unavailable,
      })),
      field: presentField(state, type, language),
    })),
    failureText: state.failure && failureText(state.failure.code, language),
    faultHeading: faultHeading(state.fault?.code, t),
    faultText: state.fault && faultText(state.fault, t),
    detours: state.fault?.code === 'otherNetwork' ? detours(state.fault, t) : [],
    until: state.expiry && t.choose.until(formatTime(state.expiry.at, language, state.expiry.timeZone)),
  }
}

const isAvailable = ({ unavailable }: Choose['providers'][number]) => unavailable === undefined

const faultHeading = (code: FormFault['code'] | undefined, t: Texts) =>
  code === 'askedOften' || code === 'otherNetwork' ? t[code].heading : t.faultHeading

function faultText(fault: FormFault, t: Texts): string {
  switch (fault.code) {
    case 'askedOften':
      return t.askedOften.text(fault.waitMinutes)
    case 'otherNetwork':
      return t.otherNetwork[fault.isCertain ? 'certain' : 'likely'](fault.looksLike, fault.chosen.name)
    default:
      return t.faults[fault.field][fault.code]
  }
}

/** Ways on from a number that looks like another provider's, each one click. */
function detours(
  { chosen, instead, isCertain }: Extract<FormFault, { code: 'otherNetwork' }>,
  { otherNetwork }: Texts,
) {
  return [
    ...(instead
      ? [{ provider: instead.id, text: otherNetwork.instead(instead.name), isConfirmed: false }]
      : []),
    ...(isCertain
      ? []
      : [{ provider: chosen.id, text: otherNetwork.anyway(chosen.name), isConfirmed: true }]),
  ]
}

/** A card has no field: its number is typed elsewhere. */
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
    value: withoutDialCode(state[name] ?? '', dialCode ?? ''),
    isFaulty,
    describedBy: described.filter(Boolean).join(' '),
  }
}

function failureText(code: string, language: Language): string {
  const { failures } = texts[language]
  return hasKey(failures, code) ? failures[code] : failures.unknown
}

/** The dial code stands before the field: it must not be in it as well. */
function withoutDialCode(phone: string, dialCode: string): string {
  return phone.startsWith(dialCode) ? phone.slice(dialCode.length).trim() : phone
}
