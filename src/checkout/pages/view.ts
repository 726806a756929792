import type { ProviderType } from '../../providers/provider.ts'
import type { Language } from './language.ts'

/** All that the page of one checkout session shows. Amounts are formatted already; URLs of ours are paths. */
export type CheckoutView = {
  language: Language
  nonce: string
  /** What the Space calls itself to its payers. */
  merchant: string
  /** A path of ours. */
  logo?: string
  /** The session's: what the merchant calls the order. */
  name: string
  /** What we call it: 12 digits. */
  orderNumber: string
  description?: string
  total: string
  items: CheckoutItem[]
  /** `#RGB` or `#RRGGBB`. */
  brand?: string
  environment: 'test' | 'live'
  /** In test: the page of simulated phones, a path of ours. */
  handsetsUrl?: string
  /** The page's whole address: to be shown as a code for another device. */
  address?: string
  state: CheckoutState
} & Help

/** Where payers ask the merchant, and what they agree to. */
export type Help = { supportEmail?: string; supportPhone?: string; termsUrl?: string }

export type CheckoutItem = {
  name: string
  description?: string
  /** Shown when it is an https URL. */
  image?: string
  quantity: number
  price: string
  total: string
}

export type CheckoutState =
  | ({
      kind: 'choose'
      payAction: string
      cancelAction?: string
      /** The most likely first: the ways to pay stand in the order of their first providers. */
      providers: OfferedProvider[]
      /** The id of the one to be chosen already; without it, it is the first that can be. */
      provider?: string
      /** `+232`, where all providers of mobile money share it. */
      dialCode?: string
      /** Why the last attempt failed, if it did, and through which way to pay. */
      failure?: { code: string; type: ProviderType }
      /** What is wrong with what was posted. */
      fault?: FormFault
      expiry?: { at: Date; timeZone: string }
      formToken: string
      /** The payer's input; a phone number may be in E.164 format. */
    } & { [field in AccountField]?: string })
  | {
      kind: 'waiting'
      type: ProviderType
      /** The provider's name. */
      provider: string
      /** The payer's, masked; none for a card. */
      account?: string
      /** Where the payer goes on: a page of the bank, the wallet or the card. */
      continueUrl?: string
      /** What the provider has its payers do, in its words and the language that these are in. */
      guidance?: { text?: string; language?: string; dialString?: string }
      /** What payers of this provider dial to find a request that no prompt showed them. */
      approvalCode?: string
      /** Until the session's time is over; nothing is begun after that. */
      minutesLeft?: number
      /** The form for a code that the provider sends its payers; `isAgain`: they have given one. */
      code?: { action: string; formToken: string; isFaulty: boolean; isAgain: boolean }
      /** They have given what codes they can: the provider has to say what comes of it. */
      hasGivenCode?: boolean
      /** Returns `{"status": "waiting" | "done"}`. */
      statusUrl: string
      /** This page again, or the one that follows it. */
      waitUrl: string
      slow?: boolean
    }
  | { kind: 'paid'; receiptUrl?: string; returnUrl?: string }
  | { kind: 'cancelled'; returnUrl?: string }
  | { kind: 'expired'; returnUrl?: string }
  /** The payment link did not accept the payment. `isOver`: the link has ended; `linkPath`: otherwise, its path. */
  | { kind: 'linkClosed'; isOver: boolean; linkPath?: string; returnUrl?: string }
  /** The Space is suspended. */
  | { kind: 'suspended'; returnUrl?: string }

export type OfferedProvider = {
  id: string
  name: string
  type: ProviderType
  /** Why not now, in the operator's words. */
  unavailable?: string
  /** `#RGB` or `#RRGGBB`. */
  color?: string
  /** A path of ours. */
  logo?: string
  /** The payer approves on a page of the provider. */
  hasPage?: boolean
}

/** The form's field for the account of each kind of provider; a card has none: its number is typed elsewhere. */
export const accountFields = { momo: 'phone', bank: 'accountNumber', wallet: 'walletId' } as const
export type AccountField = (typeof accountFields)[keyof typeof accountFields]

export type FormFault =
  | { field: 'provider' | AccountField; code: 'missing' | 'invalid' }
  /** The number looks like another provider's; unless that is certain, the payer may continue. */
  | {
      field: 'phone'
      code: 'otherNetwork'
      looksLike: string
      chosen: { id: string; name: string }
      instead?: { id: string; name: string }
      isCertain: boolean
    }
  /** The phone has reached its prompt limit, so no prompt was sent. */
  | { field: 'phone'; code: 'askedOften'; waitMinutes: number }

export type MessageView = {
  language: Language
  nonce: string
  message: 'notFound' | 'tooMany' | 'failed'
}
