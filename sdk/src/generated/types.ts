// Written by `npm run write` from the routes: edit those instead.

export type AccessToken = {
  /** Its id, which never changes. */
  id: string
  /** What its user calls it. */
  name: string
  /** Where it acts. `test`: no real money moves; `live`: real money moves. */
  environment: "test" | "live" | (string & {})
  /** Whether it works. `active`: it does; `expired`: its time is over; `revoked`: somebody ended it. */
  status: "active" | "expired" | "revoked" | (string & {})
  /** Whose it is. */
  user: {
    /** The id of the user. */
    id: string
    /** The address of the user. */
    email: string
  }
  /** What it allows, within what its user may do. */
  scopes: (string)[]
  /** False of those that a command made for other Spaces, too. */
  isOfThisSpaceOnly: boolean
  /** Where it may be used from; null: anywhere. */
  networks: (string)[] | null
  /** Of its text, to tell it from others. */
  lastCharacters: string | null
  /** Its text: shown when it is made, and never again. */
  token?: string
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last called, to the minute or so; null: never. */
  lastUseTime: string | null
  /** When it ends by itself; null: it does not. */
  expireTime: string | null
  /** When it was revoked; null: it was not. */
  revokeTime: string | null
  /** The token that took its place when it was rolled. */
  replacedById: string | null
}

/** The opening balance and the credits, less the debits, are the closing balance. */
export type AccountStatement = {
  /** Whose statement it is. */
  financialAccount: {
    /** The id of the account. */
    id: string
    /** Its number, 16 digits. */
    uvan: string
  }
  /** Lines of this time or later. */
  from: string
  /** Lines before this time. */
  to: string
  /** Whether it stays as it is: no line can be added to it any more. */
  final: boolean
  /** What the account had at `from`. */
  openingBalance: ShownMoney
  /** Sums of all lines of the range; absent with `withTotals=false`. */
  totals?: {
    /** All that came in. */
    credits: ShownMoney
    /** All that went out. */
    debits: ShownMoney
    /** How many lines there are. */
    count: number
  }
  /** What the account had at `to`. */
  closingBalance: ShownMoney
  /** The lines of this page, in the order in which they were booked. */
  lines: ({
    /** Which way the money went. `credit`: into the account; `debit`: out of it. */
    type: "credit" | "debit" | (string & {})
    /** When it was booked. */
    timestamp: string
    /** The line, as `GET /v1/financial-transactions/{id}` shows it. */
    id: string
    /** What all lines of one posting share. */
    reference: string
    /** What the line is: `fee`, or else the type of its `owner`; null where it has none. */
    kind: string | null
    /** What the fee is for, where the line is one; else null. */
    feeCode: string | null
    /** The provider through which the money moved; null where there is none. */
    providerId: string | null
    /** Over which account at the provider it moved. `collection`: that of money from payers; `disbursement`: that of payouts and refunds; null where there is no provider. */
    direction: string | null
    /** What the money moved for. */
    owner: {
      /** What kind of object it is. */
      type?: string
      /** The id of the object. */
      id?: string
      /** Its page in the console; null where it has none. */
      url?: string | null
    } | null
    /** How much, whichever way. */
    amount: ShownMoney
    /** What the account had after the line. */
    balance: ShownMoney
  })[]
  /** The `after` of the page that follows; null at the end. */
  next: string | null
}

export type ApprovalAbove = {
  /** The currency, by its three letters of ISO 4217. */
  currency: string
  /** Amounts above this need another member; whole units of the smallest that the currency has. */
  value: number
}

/** What a person decided. It is never changed. */
export type AuditEntry = {
  /** Its id, which never changes. */
  id: string
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** Who: an email address, or what somebody called themselves at a command. */
  actor: string
  /** What was decided: a kind of object, and what was done to it. */
  action: string
  /** What it was decided about. */
  object: {
    /** The id of the object. */
    id: string
    /** What kind of object it is. */
    type: string
  }
  /** Why, in their words; for some actions, words of ours. */
  reason: string
  /** What else is known of it, by action. */
  details: Record<string, unknown>
}

/** The balance at the moment `to`. */
export type BalanceReportRow = {
  /** The first day of its time, in the time zone of the Space’s country. */
  date: string
  /** Where the row begins. */
  from: string
  /** Where the row ends: what is booked at this moment is in the next. */
  to: string
  /** Whether it stays as it is: nothing can be booked into its time any more. */
  final: boolean
  /** Whose balance it is. */
  financialAccountId: string
  /** What the account had at `to`. */
  balance: ShownMoney
}

/** Money of which its rail reported the opposite of the outcome before. It waits for a person. */
export type Case = {
  /** Its id, which never changes. */
  id: string
  /** What contradicts itself. `success_after_failure`: money moved although it was reported as failed; `failure_after_success`: money did not move although it was reported as moved. */
  kind: "success_after_failure" | "failure_after_success" | (string & {})
  /** Whether somebody still has to decide. `open`: yes; `closed`: somebody did. */
  status: "open" | "closed" | (string & {})
  /** The payment, payout or refund that it is about. */
  objectId: string
  /** The money that it is about. */
  amount: ShownMoney
  /** What of it recalls had already brought back to the account that paid. */
  returned: ShownMoney
  /** What is left of it: closing the case moves this and no more. */
  remaining: ShownMoney
  /** Finds the lines of the ledger that put the money into suspense; null where none were written. */
  financialTransactionReference: string | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When somebody decided; null while it is open. */
  closeTime: string | null
}

export type CaseFile = {
  /** The payment, payout or refund. */
  objectId: string
  /** What has become of it. */
  status: string
  /** What happens next. */
  next: {
    /** approve: another member decides. find_money: the account has too little. send: it leaves for the rail. ask_rail: the rail is asked what became of it. nothing: it has ended. */
    step: "approve" | "find_money" | "send" | "ask_rail" | "nothing" | (string & {})
    /** When that happens by itself, where it is known. */
    time: string | null
  }
  /** Where it stands with the rail; null where nothing was sent. */
  rail: {
    /** How far its instruction is. */
    state: string | null
    /** The connection that it went through. */
    connection: string | null
    /** The provider’s own transaction. */
    reference: string | null
  }
  /** Oldest first. */
  entries: (CaseFileEntry)[]
  /** Whether these are all: of a kind there are at most 50, the newest. */
  isWhole: boolean
}

/** What its `kind` has. */
export type CaseFileEntry = {
  /** When it happened. */
  time: string
  /** event: what happened to it. delivery: an event on its way to a webhook, at the time of the last attempt. sent: it left for the rail. delayed: the rail takes long. approved, rejected: by another member. decision: by a person, with a reason. line: booked. refund: of a payment. */
  kind: "event" | "delivery" | "sent" | "delayed" | "approved" | "rejected" | "decision" | "line" | "refund" | (string & {})
  /** event, delivery: the event. */
  eventId?: string
  /** event, delivery: its type. */
  eventType?: string
  /** delivery: as `GET /v1/deliveries/{id}` shows it. */
  deliveryId?: string
  /** delivery: what the webhook is for. */
  webhookName?: string
  /** Attempts to deliver it. */
  tries?: number
  /** What the webhook responded last; null: nothing. */
  statusCode?: number | null
  /** approved, rejected: who decided. */
  userId?: string
  /** decision: who decided, in the words of the audit entry. */
  actor?: string
  /** decision: what was decided. */
  action?: string
  /** decision: why. */
  reason?: string
  /** line: the line of the ledger. */
  transactionId?: string
  /** refund: as `GET /v1/refunds/{id}` shows it. */
  refundId?: string
  /** refund: what has become of it. */
  status?: string
  /** line, refund: how much. */
  amount?: ShownMoney
}

export type CheckedPayoutBatch = {
  /** Whether such a batch would be taken, but for what the account has. */
  ok: boolean
  /** Whether another user would have to approve it. */
  approvalRequired: boolean
  /** Sums, one for each currency. */
  totals: ({
    /** Rows of this currency. */
    rows: number
    /** What payees get. */
    amount: ShownMoney
    /** What all of it costs on top. */
    fees: ShownMoney
    /** What its account would have available afterwards: less than zero, and there is too little money. Needs balances:read. */
    availableAfter?: {
      /** The currency, by its three letters of ISO 4217. */
      currency: string
      /** Whole units of the smallest that the currency has. */
      value: number | bigint
    }
  })[]
  /** Each row, in order. */
  rows: ({
    /** Which row it is, from 1; headings do not count. */
    number: number
    /** Whether nothing is wrong with the row. */
    ok: boolean
    /** Everything that is wrong with it: `param` is a field of the row, or a column of the file. */
    faults: ({
      /** The field of the row, or the column of the file. */
      param: string
      /** All that is wrong with it, each as a sentence. */
      errors: (string)[]
    })[]
    /** What is odd about the row, and no fault. */
    warnings: ({
      /** What is odd. `duplicate_in_file`: an earlier row pays the same amount to the same payee; `duplicate_recent`: the same was paid to this payee within 7 days, and has not failed; `first_time_payee`: no payout of yours to this payee was ever completed; `network_mismatch`: by its first digits the number is another network’s. */
      code: "duplicate_in_file" | "duplicate_recent" | "first_time_payee" | "network_mismatch" | (string & {})
      /** The same as a sentence for people. */
      message: string
    })[]
  })[]
}

export type CheckoutSession = {
  /** Its id, which never changes. */
  id: string
  /** What is paid for, as the payer reads it. */
  name: string
  /** Your own word for it; null where none was sent. */
  reference: string | null
  /** More about it; null where none was sent. */
  description: string | null
  /** What has become of it. `pending`: it can be paid; `completed`: it was paid; `cancelled`: you cancelled it; `expired`: it can no longer be paid: see `expireReason`. */
  status: "pending" | "completed" | "cancelled" | "expired" | (string & {})
  /** The address of the page. Send the payer here. */
  redirectUrl: string
  /** Where the payer goes back to without paying; null: nowhere. */
  cancelUrl: string | null
  /** Where the payer goes once it is paid; null: a page of ours says so. */
  successUrl: string | null
  /** What is to be paid: the sum of all lines. */
  amount: ShownMoney
  /** Twelve digits that name the order to payer and merchant, on receipts too. */
  orderNumber: string
  /** What is sold. */
  lineItems: {
    /** The lines, in the order in which they were sent. */
    data: ({
      /** The id of the line. */
      id: string
      /** `custom`: named and priced by you. */
      type: "custom" | (string & {})
      /** What the payer reads on this line. */
      name: string
      /** The price of one unit. */
      price: Money
      /** How many units. */
      quantity: number
      /** Your own word for the line; null where none was sent. */
      reference: string | null
      /** More about it; null where none was sent. */
      description: string | null
      /** Addresses of pictures of it. */
      images: (string)[]
    })[]
  }
  /** The account that is credited. */
  financialAccountId: string
  /** How the page looks, where it differs from the Space’s own brand. */
  brandingOptions: {
    /** The colour of buttons and headings; null: the Space’s own. */
    primaryColor: string | null
  }
  /** The payment link that it was opened from; null where it was created by a call. */
  paymentLinkId: string | null
  /** When it can no longer be paid. */
  expireTime: string
  /** Why it expired; null where it did not. `time`: its `expireTime` passed unpaid; `payment_link`: its payment link took no payment of it: it had taken all that it takes, or you had paused or ended it. */
  expireReason: "time" | "payment_link" | null | (string & {})
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type ClosedDays = {
  /** The last first, at most 1 000; one a currency. */
  days: ({
    /** Whose day it is, by the id of the provider. */
    providerId: string
    /** The environment of the connection, whatever that of the token: `test` or `live`. */
    environment: "test" | "live" | (string & {})
    /** A day in the country of the provider. */
    day: string
    /** The currency of its sums, by ISO 4217. */
    currency: string
    /** What statements show. */
    stated: {
      /** How many lines. */
      lines: number
      /** The sum of what came in. */
      in: ShownMoney
      /** The sum of what went out. */
      out: ShownMoney
    }
    /** What the books show. */
    booked: {
      /** How many lines. */
      lines: number
      /** The sum of what came in. */
      in: ShownMoney
      /** The sum of what went out. */
      out: ShownMoney
    }
    /** Why both differ, each cause with its lines. */
    differences: ({
      /** Who shows these lines. `stated`: the provider; `booked`: the books. */
      side: "stated" | "booked" | (string & {})
      /** Why the other side does not: `other_day`, matched on another day, say. */
      cause: string
      /** Whose clearing account it is. `collection`: of money that came in; `disbursement`: of money that went out. */
      direction: "collection" | "disbursement" | (string & {})
      /** How many lines. */
      lines: number
      /** Their sum. */
      amount: ShownMoney
    })[]
    /** Who signed it. */
    by: string
    /** Why, in their words. */
    reason: string
    /** When it was closed. */
    closeTime: string
    /** Who opened it again; null while it is closed. */
    reopening: {
      /** Who opened it. */
      by: string
      /** Why, in their words. */
      reason: string
      /** When it was opened. */
      createTime: string
    } | null
  })[]
}

export type ClosedItem = {
  /** The item. */
  id: string
  /** What was open about it. `amount_differs`: both sides show it, with other amounts; `missing_here`: only the provider shows it; `missing_there`: only the books show it; `awaited`: no statement covers its time yet. */
  state: "amount_differs" | "missing_here" | "missing_there" | "awaited" | (string & {})
  /** When it was closed. */
  closeTime: string
}

export type ConnectionState = {
  /** The name of the connection. */
  connection: string
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live" | (string & {})
  /** One of the providers that it reaches. */
  providerId: string
  /** What people know the provider by. */
  name: string
  /** As `PROVIDERS_FILE` has it. */
  protocol: string
  /** It takes what is new, where it is not paused. */
  isOpen: boolean
  /** Percent of what is new for the provider; null: the rest. */
  share: number | null
  /** Pauses that are in force. */
  pauses: ({
    /** `collect`: payments; `pay_out`: payouts and refunds. */
    direction: "collect" | "pay_out" | (string & {})
    /** null: all providers of the connection. */
    providerId: string | null
    /** What payers read meanwhile. */
    words: string
    /** Who decided: a person, or the service itself. */
    by: string
    /** When it was created, by the clock of the Space. */
    createTime: string
    /** When it ends by itself. */
    endTime: string | null
  })[]
  /** Some node leaves it alone until then, because it gives no clear responses. */
  restsUntil: string | null
  /** How it does with money in. */
  collect: DirectionState
  /** How it does with money out. */
  payOut: DirectionState
  /** Of live, where the rail says what is on our account; read every five minutes. */
  float: ({
    /** What the rail says is there, or what the books say. */
    side: "rail" | "books" | (string & {})
    /** Which account it is, in the provider’s words or ours. */
    account: string
    /** What is on it. */
    amount: ShownMoney
    /** When that was read. */
    readTime: string
  })[]
  /** When the oldest of its credentials was written. */
  credentialsTime: string | null
}

export type ConnectionStates = {
  /** All of them, by name. */
  connections: (ConnectionState)[]
}

export type ConnectionTest = {
  /** Whether every step succeeded. */
  isOk: boolean
  /** What was tried, in order. */
  steps: ({
    /** What was tried. */
    step: string
    /** How it went. `ok`: well; `failed`: the rail refused; `unknown`: the rail gave no clear response. */
    outcome: "ok" | "failed" | "unknown" | (string & {})
    /** What the rail said, or what to look at. */
    detail: string
  })[]
}

export type CountedSpace = {
  /** Its id, which never changes. */
  id: string
  /** What it is called. */
  name: string
  /** Its two letters of ISO 3166-1. */
  country: string
  /** `active`, or `suspended`: every call of it is refused, and it takes no payments. */
  status: "active" | "suspended" | (string & {})
  /** Who suspended it; null while nobody has. */
  suspension: {
    /** The email address of the operator. */
    by: string
    /** Why, in their words. */
    reason: string
    /** When it was suspended. */
    createTime: string
  } | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** Its members, counted to 100. */
  memberCount: number
  /** Its cases that wait for a person, of each environment and both, counted to 100. */
  openCaseCount: number
}

export type Country = {
  /** Its two letters of ISO 3166-1. */
  code: string
  /** What it is called in English. */
  name: string
  /** The currency of accounts and codes where none is named. */
  currency: {
    /** Its three letters of ISO 4217. */
    code: string
    /** The name of the minor unit. */
    unit: string
    /** The digits of the minor unit. */
    unitLength: number
  }
  /** Currencies that a Space of this country can have accounts in. */
  supportedCurrencies: (string)[]
}

export type DaysOfProvider = {
  /** The last first, at most 1 000; one a currency. */
  days: ({
    /** Whose day it is, by the id of the provider. */
    providerId: string
    /** The environment of the connection, whatever that of the token: `test` or `live`. */
    environment: "test" | "live" | (string & {})
    /** A day in the country of the provider. */
    day: string
    /** The currency of its sums, by ISO 4217. */
    currency: string
    /** What statements show. */
    stated: {
      /** How many lines. */
      lines: number
      /** The sum of what came in. */
      in: ShownMoney
      /** The sum of what went out. */
      out: ShownMoney
    }
    /** What the books show. */
    booked: {
      /** How many lines. */
      lines: number
      /** The sum of what came in. */
      in: ShownMoney
      /** The sum of what went out. */
      out: ShownMoney
    }
    /** Why both differ, each cause with its lines. */
    differences: ({
      /** Who shows these lines. `stated`: the provider; `booked`: the books. */
      side: "stated" | "booked" | (string & {})
      /** Why the other side does not: `other_day`, matched on another day, say. */
      cause: string
      /** Whose clearing account it is. `collection`: of money that came in; `disbursement`: of money that went out. */
      direction: "collection" | "disbursement" | (string & {})
      /** How many lines. */
      lines: number
      /** Their sum. */
      amount: ShownMoney
    })[]
    /** Who signed it. */
    by: string
    /** Why, in their words. */
    reason: string
    /** When it was closed. */
    closeTime: string
    /** Who opened it again; null while it is closed. */
    reopening: {
      /** Who opened it. */
      by: string
      /** Why, in their words. */
      reason: string
      /** When it was opened. */
      createTime: string
    } | null
  })[]
  /** Days of the last 100 that are over and not closed, the first first, since statements began. */
  toClose: ({
    /** A day in the country of the provider. */
    day: string
    /** The first time of the day that no statement covers; null where they cover all of it. */
    gap: {
      /** Where the gap begins. */
      from: string
      /** Where the gap ends. */
      until: string
    } | null
  })[]
}

/** One event on its way to one webhook. The last 25 attempts are kept. */
export type Delivery = {
  /** Its id, which never changes. */
  id: string
  /** The webhook that it goes to. */
  webhookId: string
  /** The event that is delivered. */
  eventId: string
  /** What the event says that happened. */
  eventType: string
  /** What has become of it. `pending`: it is to be sent, or sent again; `delivered`: the webhook took it; `failed`: it was not taken, for three days. */
  status: "pending" | "delivered" | "failed" | (string & {})
  /** When it is sent again; null: it is not. */
  nextAttemptTime: string | null
  /** Each time that it was sent, the last 25. */
  attempts: ({
    /** When it was sent. */
    time: string
    /** What the webhook responded; null: nothing. */
    statusCode: number | null
    /** Milliseconds until it responded, or until nobody waited any longer. */
    durationMs: number
    /** Why there was no response. */
    error: string | null
    /** The first 1 KiB of the response; masked for the role `support`: an endpoint may repeat what it was sent. */
    responseBody: string | null
  })[]
  /** When it was created, by the clock of the Space. */
  createTime: string
}

export type DirectionState = {
  /** What was tried within an hour. */
  lastHour: Successes
  /** What was tried within a day. */
  lastDay: Successes
  /** Half of the submits of the last hour took at most so long; null where there were none, or longer ones than 10 s. */
  p50Ms: number | null
  /** The same of 95 percent. */
  p95Ms: number | null
  /** When the rail last reported by itself within a day. */
  lastReportTime: string | null
}

/** `data` is the resource exactly as GET showed it at that moment. */
export type Event = {
  /** Its id, which never changes. */
  id: string
  /** What happened: a kind of object, and what was done to it. */
  type: "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained" | "webhook.ping" | (string & {})
  /** The version that `data` is written in. */
  apiVersion: string
  /** Where it happened. `test`: no real money moves; `live`: real money moves. */
  environment: "test" | "live" | (string & {})
  /** The Space where it happened. */
  spaceId: string
  /** When it happened, by the clock of the Space. */
  timestamp: string
  /** Rises by one in the order of commits. */
  sequence: number
  /** What it happened to. */
  object: {
    /** The id of the object. */
    id: string
    /** What kind of object it is. */
    type: string
  }
  /** What the checkout session was created with; with its events only. */
  callbackState?: string
  /** The object exactly as GET showed it at that moment. */
  data: Record<string, unknown>
}

export type FeePreview = {
  /** Payments of this time or later. */
  since: string
  /** How many payments were counted. */
  payments: number
  /** These are all completed payments of the last 30 days, not only the newest 10 000. */
  isWhole: boolean
  /** One for each currency. */
  sums: ({
    /** How many payments. */
    payments: number
    /** What they came to. */
    collected: ShownMoney
    /** What they cost. */
    charged: ShownMoney
    /** What they would have cost under the other rule. */
    wouldBe: ShownMoney
  })[]
}

/** `charged` less `returned` is `amount`. */
export type FeeReportRow = {
  /** What the fees are for: `payment`, `payout` or `refund`. */
  code: string
  /** The provider whose money it was; null where there is none. */
  provider: string | null
  /** `collection`: of money that came in; `disbursement`: of money that went out; null where there is none. */
  direction: string | null
  /** The first moment of the range. */
  from: string
  /** The moment before which it ends. */
  to: string
  /** Whether it stays as it is: nothing can be booked into its time any more. */
  final: boolean
  /** Fees that were charged or returned. */
  count: number
  /** What was charged. */
  charged: ShownMoney
  /** What was given back. */
  returned: ShownMoney
  /** What was charged, less what was given back. */
  amount: ShownMoney
}

export type Fees = {
  /** What each kind of movement costs. */
  fees: ({
    /** What the fee is for. `payment`: each payment; `payout`: each payout; `refund`: each refund. */
    code: "payment" | "payout" | "refund" | (string & {})
    /** What it costs: parts of the amount, and a minimum per currency. */
    rule: string
    /** The Space has no rule of its own. */
    isStandard: boolean
  })[]
}

export type FinancialAccount = {
  /** Its id, which never changes. */
  id: string
  /** Its number, 16 digits with a check digit, for people. */
  uvan: string
  /** What your team calls it. */
  name: string
  /** The currency of all its money, by ISO 4217. */
  currency: string
  /** Your own word for it, one in the Space; null where there is none. */
  reference: string | null
  /** What it is for; null where nobody says. */
  description: string | null
  /** What it has: shown where `withBalance` was asked, to callers with `balances:read`. */
  balance?: {
    /** What can be spent: all that was booked, less what is held. */
    available: ShownMoney
    /** What is reserved, for payouts and refunds that have not ended. */
    held: ShownMoney
  }
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type FinancialTransaction = {
  /** Its id, which never changes. */
  id: string
  /** Which way the money went. `credit`: into the account; `debit`: out of it. */
  type: "credit" | "debit" | (string & {})
  /** How much, whichever way. */
  amount: ShownMoney
  /** When it was booked, by the clock of the Space. */
  timestamp: string
  /** What all lines of one posting share: a payment’s and its fee’s, say. */
  reference: string
  /** The account, and what the line did to it. */
  financialAccount: {
    /** The id of the account. */
    id: string
    /** Its balance around this line. */
    balance: {
      /** What it had after the line, held money included. */
      after: ShownMoney
    }
  }
  /** The line that this one takes back, where it does; else null. */
  originatingReversal: {
    /** The id of that line. */
    originTxnId?: string
    /** The reference of its posting. */
    originTxnRef?: string
  } | null
  /** The fee that this line is, where it is one; else null. */
  originatingFee: {
    /** What the fee is for: `payment`, `payout` or `refund`. */
    code?: string
  } | null
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

/** Money of an account that is reserved, for what `ownershipGraph` begins with: a payout, say. `amount` is what still is. */
export type Hold = {
  /** Its id, which never changes. */
  id: string
  /** What is still reserved. */
  amount: ShownMoney
  /** When it is released by itself; null: only what it is for ends it. */
  expireTime: string | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
}

export type InstallationHealth = {
  /** The newest first; those that are gone for a week. */
  nodes: ({
    /** A number that no other node that runs has. */
    id: number
    /** The node that responds. */
    isThis: boolean
    /** The version of the program. */
    version: string
    /** Responds to requests. */
    serves: boolean
    /** Does everything in the background. */
    works: boolean
    /** By the lock that it holds while it runs. `alive`: it runs; `stopped`: it ended in order; `lost`: its process ended without stopping in order. */
    status: "alive" | "stopped" | "lost" | (string & {})
    /** When it started. */
    startTime: string
    /** When it stopped; null while it runs, and where nobody knows. */
    stopTime: string | null
  })[]
  /** What waits in the background. */
  queues: {
    /** Jobs that are due. */
    jobs: {
      /** How many there are, up to a limit. */
      count: number
      /** The count ended at its limit: there is at least so much. */
      estimated: boolean
      /** Since when the oldest has been due; null where none is. */
      oldestDueTime: string | null
    }
    /** Facts that have no event yet. */
    events: {
      /** How many there are, up to a limit. */
      count: number
      /** The count ended at its limit: there is at least so much. */
      estimated: boolean
    }
    /** Deliveries that wait to be sent, or to be tried again. */
    deliveries: {
      /** How many there are, up to a limit. */
      count: number
      /** The count ended at its limit: there is at least so much. */
      estimated: boolean
    }
    /** What waits to be submitted to providers. */
    lanes: ({
      /** The environment. `test`: no real money moves; `live`: real money moves. */
      environment: "test" | "live" | (string & {})
      /** What waits. `collect`: payments; `disburse`: payouts; `refund`: refunds. */
      kind: "collect" | "disburse" | "refund" | (string & {})
      /** The provider that it waits for. */
      providerId: string
      /** How many there are, up to a limit. */
      count: number
      /** The count ended at its limit: there is at least so much. */
      estimated: boolean
    })[]
  }
  /** What was submitted and has no outcome yet, among the 500 oldest of each type. A provider that is missing has none among them. */
  unknownOutcomes: ({
    /** The environment. `test`: no real money moves; `live`: real money moves. */
    environment: "test" | "live" | (string & {})
    /** What it is. `payment`: payments; `payout`: payouts; `refund`: refunds. */
    type: "payment" | "payout" | "refund" | (string & {})
    /** The provider that has not said. */
    providerId: string
    /** How many there are, up to a limit. */
    count: number
    /** The count ended at its limit: there is at least so much. */
    estimated: boolean
    /** By the clock of its Space. */
    oldestSubmitTime: string
  })[]
  /** Counts only: whose they are is their Space’s affair. */
  webhooks: {
    /** Of all Spaces: those whose deliveries fail. */
    failing: number
    /** Those that were disabled for it. */
    disabled: number
    /** The count ended at its limit: there is at least so much. */
    estimated: boolean
  }
  /** The database as this node sees it. */
  database: {
    /** The version of PostgreSQL. */
    version: string
    /** The number of the newest migration. */
    schemaVersion: number
    /** How much room it takes. */
    sizeBytes: number
    /** Of this database, of all programs. */
    connections: number
    /** The server’s own limit. */
    maxConnections: number
    /** Whether it is a standby, and takes no writes. */
    isStandby: boolean
    /** Those that follow it, as far as the service may see them. */
    replicas: ({
      /** What the standby calls itself. */
      name: string
      /** What PostgreSQL says of it. */
      state: string | null
      /** How far it is behind; null where that is not known. */
      lagSeconds: number | null
    })[]
  }
  /** Of the node that responds. */
  clock: {
    /** How far the node is ahead of the database. */
    differenceMs: number
    /** The truth is at most so far away. */
    uncertaintyMs: number
  }
  /** The last proof of all the books, by a node at night or by `pesewa verify`. */
  lastProof: ({
    /** Whether everything added up. */
    isOk: boolean
    /** When it began. */
    startTime: string
    /** When it ended. */
    endTime: string
    /** What was checked. */
    checks: ({
      /** What must be true. */
      name: string
      /** How many rows, and of what. */
      examined: string
      /** Those that it named, at most 20. */
      differences: number
    })[]
  } | null)
}

export type InternalTransfer = {
  /** Its id, which never changes. */
  id: string
  /** What has become of it. `pending`: it waits for its time; `processing`: it is being done; `completed`: the money was moved; `failed`: it was not. */
  status: "pending" | "processing" | "completed" | "failed" | (string & {})
  /** What is moved. */
  amount: ShownMoney
  /** The account that is debited. */
  sourceFinancialAccount: {
    /** The id of the account. */
    id: string
  }
  /** The account that is credited. */
  destinationFinancialAccount: {
    /** The id of the account. */
    id: string
  }
  /** Finds the two lines of the ledger; null before it is completed. */
  financialTransactionReference: string | null
  /** What it is for; null where nobody says. */
  description: string | null
  /** Why it failed; null unless `status` is `failed`. */
  failureDetail: {
    /** What programs decide by. `fund_insufficient`: the source had too little available; `cancelled`: you cancelled it before its time; `unknown`: something else. */
    code: "fund_insufficient" | "cancelled" | "unknown" | (string & {})
    /** A sentence for people. It may change. */
    message: string
  } | null
  /** When it is due; null where it was done at once. */
  executeTime: string | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

/** Its link is mailed, and shown to nobody else: it signs in whoever has it. */
export type Invitation = {
  /** Its id, which never changes. */
  id: string
  /** Who is invited. */
  email: string
  /** What the member may do. `owner`, `admin`: everything; only an owner decides about owners. `developer`: integrations. `finance`: money. `support`: looking things up. `viewer`: reading. */
  role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" | (string & {})
  /** What has become of it. `pending`: it can be accepted; `accepted`: it was; `expired`: its seven days are over; `withdrawn`: somebody withdrew it. */
  status: "pending" | "accepted" | "expired" | "withdrawn" | (string & {})
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** Until when it can be accepted. */
  expireTime: string
}

export type LinkPreview = {
  /** Whom it signs in: the first letter of their address, and what follows the @. */
  email: string
  /** The Space that an invitation is to; null of other links. */
  spaceName: string | null
  /** Whether the whole address has to be typed: the link was requested in another browser, or somebody else is signed in here. */
  isEmailNeeded: boolean
  /** Who else is signed in in this browser, and would be signed out; null where nobody else is. */
  signedInEmail: string | null
}

export type ListedRequest = {
  /** Its id, which never changes. */
  id: string
  /** When it came in. */
  timestamp: string
  /** The HTTP method. */
  method: string
  /** The address as the reference writes it, without ids. */
  route: string
  /** Without its query. Numbers of people are masked. */
  path: string
  /** The HTTP status of the response. */
  status: number
  /** Why it was refused; null where it was not. */
  reason: string | null
  /** Who asked. */
  caller: {
    /** What they called with. `token`: an access token; `session`: a session at the console. */
    type: "token" | "session" | (string & {})
    /** Of the access token, or of the session at the console. */
    id: string
  }
  /** Milliseconds from the request to its response. */
  durationMs: number
}

/** A request of the last seven days. */
export type LoggedRequest = {
  /** Its id, which never changes. */
  id: string
  /** When it came in. */
  timestamp: string
  /** The HTTP method. */
  method: string
  /** The address as the reference writes it, without ids. */
  route: string
  /** Without its query. Numbers of people are masked. */
  path: string
  /** The HTTP status of the response. */
  status: number
  /** Why it was refused; null where it was not. */
  reason: string | null
  /** Who asked. */
  caller: {
    /** What they called with. `token`: an access token; `session`: a session at the console. */
    type: "token" | "session" | (string & {})
    /** Of the access token, or of the session at the console. */
    id: string
  }
  /** Milliseconds from the request to its response. */
  durationMs: number
  /** Its body as JSON, up to 4 096 characters. What is secret in it is `***`, phone numbers and codes included. Null: it had none, or one that is never kept. */
  body: string | null
  /** Whether the body goes on beyond what was kept. */
  isBodyCut: boolean
}

export type MatchedStatement = {
  /** The number of the statement. */
  id: string
  /** Whose statement it is, by the id of the provider. */
  providerId: string
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live" | (string & {})
  /** What the file is called. */
  fileName: string
  /** The time of its first line, or what it says to cover. */
  from: string
  /** The time of its last line, or what it says to cover. */
  until: string
  /** That its mapping does not leave out. */
  lines: number
  /** That no earlier statement had. */
  newLines: number
  /** The email address of an operator; null: a command. */
  importedBy: string | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** Of its new lines, those for which the books have a line. */
  matchedLines: number
  /** Of its new lines, those that only the provider has, or differently. */
  openLines: number
  /** Only its first 10 000 new lines were counted. */
  estimated: boolean
}

export type Me = {
  /** Who calls. */
  user: {
    /** The id of the user. */
    id: string
    /** The address of the user. */
    email: string
  }
  /** What they call with. */
  caller: {
    /** What it is. `token`: an access token; `session`: a session at the console. */
    type: "token" | "session" | (string & {})
    /** The id of the token or session. */
    id: string
  }
  /** Where the caller acts. `test`: no real money moves; `live`: real money moves. */
  environment: "test" | "live" | (string & {})
  /** What the caller may do in the installation; nothing, but for its operators. */
  installationPermissions: (string)[]
  /** Until when the sign-in is fresh enough for what needs that; null for tokens. */
  freshUntil: string | null
  /** The Spaces that the caller may enter. */
  spaces: ({
    /** Its id, which never changes. */
    id: string
    /** What the Space is called. */
    name: string
    /** Its two letters of ISO 3166-1. */
    country: string
    /** What the user is in this Space: `owner`, `admin`, `developer`, `finance`, `support` or `viewer`. */
    role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" | (string & {})
    /** What the caller may do there. */
    permissions: (string)[]
  })[]
}

/** A user, and what they are in the Space, in both environments. */
export type Member = {
  /** Its id, which never changes. */
  id: string
  /** The address that the member signs in with. */
  email: string
  /** What the member may do. `owner`, `admin`: everything; only an owner decides about owners. `developer`: integrations. `finance`: money. `support`: looking things up. `viewer`: reading. */
  role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" | (string & {})
  /** When it was created, by the clock of the Space. */
  createTime: string
}

/** An amount in whole minor units: 1500 SLE is Le 15.00. */
export type Money = {
  /** The currency, by its three letters of ISO 4217. */
  currency: string
  /** Whole units of the smallest that the currency has: cents, pesewas; francs where it has none smaller. */
  value: number
}

export type NewAccessToken = {
  /** What its user calls it. */
  name: string
  /** `*` is all that your role has. No more than you may do yourself. */
  scopes: ("access-tokens:read" | "access-tokens:write" | "members:read" | "members:write" | "audit:read" | "requests:read" | "webhooks:read" | "webhooks:write" | "webhooks:resend" | "events:read" | "events:write" | "financial-accounts:read" | "financial-accounts:write" | "financial-transactions:read" | "financial-transactions:write" | "balances:read" | "internal-transfers:read" | "internal-transfers:write" | "provider-kyc:read" | "provider-kyc:write" | "settlements:read" | "settlements:write" | "payments:read" | "payments:write" | "receipts:read" | "receipts:write" | "payouts:read" | "payouts:write" | "payouts:approve" | "refunds:read" | "refunds:write" | "refunds:propose" | "refunds:approve" | "checkout-sessions:read" | "checkout-sessions:write" | "receipts:send" | "payment-links:read" | "payment-links:write" | "payment-codes:read" | "payment-codes:write" | "ussd-otps:read" | "ussd-otps:write" | "settings:read" | "settings:write" | "*")[]
  /** Where it may be used from. Left out: from anywhere that your own token may. */
  networks?: (string)[] | null
  /** How long it works: a duration such as 30d or 12h, from 1h to 3650d, or `never` for one that does not expire. */
  duration?: string | null
}

export type NewCheckoutSession = {
  /** What is paid for, as the payer reads it on the page. */
  name: string
  /** More about it, shown below the name. */
  description?: string | null
  /** Where the payer goes once it is paid. An absolute http or https address without credentials. */
  successUrl?: string | null
  /** Where the payer goes back to without paying. An absolute http or https address without credentials. */
  cancelUrl?: string | null
  /** Comes back as `callbackState`: in the session’s events, and in the address that the payer returns to. */
  callbackState?: string | null
  /** Your own word for it, such as an order number. */
  reference?: string | null
  /** The account that is credited; left out: the Space’s main account of the currency. */
  financialAccountId?: string | null
  /** What is sold: the session’s amount is the sum of prices times quantities, all in one currency. */
  lineItems: ({
    /** What kind of line it is: `custom`, the only one, is named and priced here. */
    type?: "custom" | null
    /** What the payer reads on this line. */
    name: string
    /** The price of one unit. */
    price: Money
    /** How many units. */
    quantity?: number | null
    /** Your own word for the line: the key of its entitlement on the receipt. */
    reference?: string | null
    /** More about it, shown below the line’s name. */
    description?: string | null
    /** Addresses of pictures of it. */
    images?: (string)[] | null
  })[]
  /** Which ways to pay the page offers; left out: all that can take the amount. */
  paymentOptions?: {
    /** Cards. */
    card?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
    } | null
    /** Banks. */
    bank?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
      /** Only these providers of the kind, by id; left out: all that can take the amount. */
      enabledProviders?: (string)[] | null
      /** Providers of the kind that are not offered, by id. */
      disabledProviders?: (string)[] | null
    } | null
    /** Mobile money. */
    momo?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
      /** Only these providers of the kind, by id; left out: all that can take the amount. */
      enabledProviders?: (string)[] | null
      /** Providers of the kind that are not offered, by id. */
      disabledProviders?: (string)[] | null
    } | null
    /** Wallets. */
    wallet?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
      /** Only these providers of the kind, by id; left out: all that can take the amount. */
      enabledProviders?: (string)[] | null
      /** Providers of the kind that are not offered, by id. */
      disabledProviders?: (string)[] | null
    } | null
  } | null
  /** How the page looks, where it is to differ from the Space’s own brand. */
  brandingOptions?: {
    /** The colour of buttons and headings: `#` and 3 or 6 hexadecimal digits. */
    primaryColor?: string | null
  } | null
  /** How long it can be paid. A duration such as 90s, 10m or 1h30m, from 5m to 7d. */
  duration?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type NewPaymentCode = {
  /** What is paid for, as the payer reads it on the handset. */
  name: string
  /** How often it can be paid. `one_time`: once; `recurrent`: again and again, until its target is met or its time is over. */
  mode?: "one_time" | "recurrent" | null
  /** Whether dials are taken. */
  enable?: boolean | null
  /** In whole minor units; left out: the payer types it. */
  amount?: {
    /** The currency, by its three letters of ISO 4217. */
    currency: string
    /** Whole units of the smallest that the currency has: cents, pesewas; francs where it has none smaller. */
    value: number
  } | null
  /** How long it can be paid. A duration such as 90s, 10m or 1h30m, from 1s to 30d. */
  duration?: string | null
  /** Whom it is for. */
  customer?: {
    /** What the customer is called; for your own use. */
    name?: string | null
  } | null
  /** Your own word for it, such as an invoice. */
  reference?: string | null
  /** Mobile money providers that may pay; left out: all. */
  authorizedProviders?: (string)[] | null
  /** The only phone that may pay. Without it every phone may. */
  authorizedPhoneNumber?: string | null
  /** Completes a recurrent code: whichever of count and total comes first. */
  recurrentPaymentTarget?: {
    /** How many payments complete it. */
    expectedPaymentCount?: number | null
    /** What sum of payments completes it. */
    expectedPaymentTotal?: (Money | null)
  } | null
  /** The account that is credited; left out: the Space’s main account of the currency. */
  financialAccountId?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type NewPaymentLink = {
  /** What is paid for, as the payer reads it on the page. */
  name: string
  /** More about it, shown below the name. */
  description?: string | null
  /** What is sold: the session’s amount is the sum of prices times quantities, all in one currency. */
  lineItems?: ({
    /** What kind of line it is: `custom`, the only one, is named and priced here. */
    type?: "custom" | null
    /** What the payer reads on this line. */
    name: string
    /** The price of one unit. */
    price: Money
    /** How many units. */
    quantity?: number | null
    /** Your own word for the line: the key of its entitlement on the receipt. */
    reference?: string | null
    /** More about it, shown below the line’s name. */
    description?: string | null
    /** Addresses of pictures of it. */
    images?: (string)[] | null
  })[] | null
  /** In place of `lineItems`: the payer types the amount. */
  openAmount?: {
    /** What the payer pays in. */
    currency: string
    /** The least, in minor units; left out: anything. */
    minimum?: number | null
    /** The most, in minor units; left out: anything. */
    maximum?: number | null
  } | null
  /** The payer chooses how often they take all items; left out: once. */
  quantity?: {
    /** The fewest that can be taken. */
    minimum?: number | null
    /** The most that can be taken. */
    maximum: number
  } | null
  /** Asks the payer for a text that becomes the `reference` of session and payment. */
  payerReference?: {
    /** What the payer is asked for. */
    label: string
    /** Whether nobody can pay without it. */
    isRequired?: boolean | null
  } | null
  /** The account that is credited; left out: the Space’s main account of the currency. */
  financialAccountId?: string | null
  /** Which ways to pay the page offers; left out: all that can take the amount. */
  paymentOptions?: {
    /** Cards. */
    card?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
    } | null
    /** Banks. */
    bank?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
      /** Only these providers of the kind, by id; left out: all that can take the amount. */
      enabledProviders?: (string)[] | null
      /** Providers of the kind that are not offered, by id. */
      disabledProviders?: (string)[] | null
    } | null
    /** Mobile money. */
    momo?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
      /** Only these providers of the kind, by id; left out: all that can take the amount. */
      enabledProviders?: (string)[] | null
      /** Providers of the kind that are not offered, by id. */
      disabledProviders?: (string)[] | null
    } | null
    /** Wallets. */
    wallet?: {
      /** Whether the whole kind is left out. */
      disable?: boolean | null
      /** Only these providers of the kind, by id; left out: all that can take the amount. */
      enabledProviders?: (string)[] | null
      /** Providers of the kind that are not offered, by id. */
      disabledProviders?: (string)[] | null
    } | null
  } | null
  /** How the page looks, where it is to differ from the Space’s own brand. */
  brandingOptions?: {
    /** The colour of buttons and headings: `#` and 3 or 6 hexadecimal digits. */
    primaryColor?: string | null
  } | null
  /** Shown once it is paid. Not beside `successUrl`. */
  successText?: string | null
  /** An absolute http or https address without credentials. */
  successUrl?: string | null
  /** Whether it can be paid now. */
  active?: boolean | null
  /** From when on no payment begins; left out: never. */
  expireTime?: string | null
  /** How many payments it takes; left out: as many as come. */
  maxPayments?: number | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type NewUssdOtp = {
  /** The only phone that counts: in E.164, or as the Space’s country writes it. */
  authorizedPhoneNumber: string
  /** What the phone is shown once it has dialled, cut to what a handset can show. */
  verificationMessage?: string | null
  /** How long it can be dialled. A duration such as 90s, 10m or 1h30m, from 30s to 1h. */
  duration?: string | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type NewWebhook = {
  /** What your team calls it. */
  name: string
  /** The release that events are written in. */
  apiRelease?: "baobab" | null
  /** Where events are sent. An absolute http or https address without credentials. */
  url: string
  /** Names of events, `payment.*` for all of a resource, or `*`. */
  events: ("*" | "webhook.*" | "financial_transaction.*" | "internal_transfer.*" | "settlement.*" | "payment.*" | "payout.*" | "payout_batch.*" | "recall.*" | "refund.*" | "checkout_session.*" | "payment_link.*" | "payment_code.*" | "ussd_otp.*" | "ledger.*" | "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_link.created" | "payment_link.completed" | "payment_link.expired" | "payment_link.cancelled" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained")[]
  /** Whether events are sent. */
  enabled?: boolean | null
  /** Sent with every delivery. */
  headers?: Record<string, string> | null
  /** Who gets a mail when we disable it. */
  alertEmails?: (string)[] | null
  /** How deliveries are signed. */
  verificationMethod?: {
    /** The algorithm. `HS256`: HMAC-SHA256, by a secret that both sides have; `ED25519`: ed25519, by a key that we alone have. */
    type?: "HS256" | "ED25519" | null
    /** whsec_ and base64 of 24 to 64 bytes, or 32 to 256 plain characters. Left out: one is made. */
    secret?: string | null
  } | null
  /** Your own data, shown as it was sent: a JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type OpenItems = {
  /** These are all, not only the oldest 200. */
  isWhole: boolean
  /** The oldest first. */
  items: ({
    /** What a person closes it by. */
    id: string
    /** `amount_differs`: both have it, with other amounts; `missing_here`: only the provider has it; `missing_there`: only we do; `awaited`: no statement covers its time yet. */
    state: "amount_differs" | "missing_here" | "missing_there" | "awaited" | (string & {})
    /** Whose clearing account it is. `collection`: of money that came in; `disbursement`: of money that went out. */
    direction: "collection" | "disbursement" | (string & {})
    /** When it moved, or was booked. */
    time: string
    /** What the provider shows. */
    theirs: (ShownMoney | null)
    /** What the books show. */
    ours: (ShownMoney | null)
    /** The statement that has it. */
    fileName: string | null
    /** The line of that file; null where no statement has it. */
    line: number | null
    /** As the provider has it. */
    reference: string | null
    /** What of a Space it is, or may be. */
    objectId: string | null
  })[]
}

export type OperatorsSpace = {
  /** Its id, which never changes. */
  id: string
  /** What it is called. */
  name: string
  /** Its two letters of ISO 3166-1. */
  country: string
  /** `active`, or `suspended`: every call of it is refused, and it takes no payments. */
  status: "active" | "suspended" | (string & {})
  /** Who suspended it; null while nobody has. */
  suspension: {
    /** The email address of the operator. */
    by: string
    /** Why, in their words. */
    reason: string
    /** When it was suspended. */
    createTime: string
  } | null
  /** When it was created, by the clock of the Space. */
  createTime: string
}

export type Overview = {
  /** The day of the Space’s country that it is now. */
  date: string
  /** False while what moved is still being summed: ask again in a moment. */
  isWhole: boolean
  /** One for each currency that something moved in. */
  today: (OverviewDay)[]
  /** How the newest payments of the last 24 hours ended, 2 000 at most. */
  providers: ({
    /** The id of the provider. */
    provider: string
    /** Payments that completed. */
    completed: number
    /** Payments that failed. */
    failed: number
    /** Payments whose outcome is not known yet. */
    underWay: number
  })[]
  /** What has had no outcome for long. */
  unknown: ({
    /** What it is. `payments`: money in; `payouts`: money out; `refunds`: money back. */
    of: "payments" | "payouts" | "refunds" | (string & {})
    /** That were sent over ten minutes ago, and have no outcome. */
    over10Minutes: number
    /** Of these, over an hour ago. */
    overHour: number
    /** Of these, over a day ago. */
    overDay: number
  })[]
}

/** What moved at providers, by the books. */
export type OverviewDay = {
  /** In the time zone of the Space’s country. */
  date: string
  /** The currency of the sums, by ISO 4217. */
  currency: string
  /** Payments that completed. */
  collected: {
    /** The sum. */
    amount: ShownMoney
    /** How many there are. */
    count: number
  }
  /** Payouts, less recalls. */
  paidOut: {
    /** The sum. */
    amount: ShownMoney
    /** How many there are. */
    count: number
  }
  /** Refunds that completed. */
  refunded: {
    /** The sum. */
    amount: ShownMoney
    /** How many there are. */
    count: number
  }
}

export type OverviewDays = {
  /** False while what moved is still being summed: ask again in a moment. */
  isWhole: boolean
  /** The last first, one for each day and currency. */
  days: (OverviewDay)[]
}

/** An owner, with its metadata of the time and its own owner; the innermost is the Space. */
export type Owner = ({
  /** The id of the owner. */
  id: string
  /** What kind of object the owner is. */
  type: string
  /** The owner’s own metadata, as it was when it came to own. */
  metadata: Record<string, unknown>
  /** Who owns the owner; an empty object where nobody does. */
  owner: Owner
} | Record<string, unknown>)

/** Who owns an object, and who owns that: up to the Space, which has no owner. */
export type OwnershipGraph = {
  /** The nearest owner: what it was created for or with. */
  owner: Owner
}

export type Passkey = {
  /** Its id, which never changes. */
  id: string
  /** What its person calls it. */
  name: string
  /** Whether its authenticator keeps it on other devices, too. */
  isSynced: boolean
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last signed somebody in; null: never. */
  lastUseTime: string | null
}

/** As the browser’s own API takes them, in JSON. */
export type PasskeyOptions = {
  /** What the browser’s own API is called with. */
  options: Record<string, unknown>
}

export type Passkeys = {
  /** The newest first. */
  passkeys: (Passkey)[]
}

export type PausedPlace = {
  /** The name of the connection. */
  connection: string
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live" | (string & {})
  /** The one provider that it is about; null: all of the connection. */
  providerId: string | null
  /** The directions that it is about. */
  directions: ("collect" | "pay_out" | (string & {}))[]
}

export type Payment = {
  /** Its id, which never changes. */
  id: string
  /** What has become of it. `pending`: it is about to go to the provider; `processing`: the provider has it; its outcome is not known yet, and may take long; `completed`: the money is in the account; `failed`: it was not paid. */
  status: "pending" | "processing" | "completed" | "failed" | (string & {})
  /** What the payer pays. All of it is credited; fees are lines of their own. */
  amount: ShownMoney
  /** How it is paid. */
  channel: {
    /** What kind of account pays. `momo`: a phone with mobile money; `bank`: a bank account; `wallet`: a wallet; `card`: a card. */
    type: "momo" | "bank" | "wallet" | "card" | (string & {})
    /** The id of the provider that holds the payer’s account. */
    provider: string
    /** The provider’s own transaction; null before there is one. */
    reference: string | null
    /** momo: masked. */
    phoneNumber?: string
    /** bank: masked. */
    accountNumber?: string
    /** wallet: masked. */
    walletId?: string
    /** card: its network, `visa`, `mastercard` or `verve`; null before it has paid. */
    scheme?: "visa" | "mastercard" | "verve" | null | (string & {})
    /** card: its last four digits; null before it has paid. */
    last4?: string | null
    /** The same for the same payer in your Space, and nothing else can be read from it; null where it is not known. */
    fingerprint: string | null
    /** Whatever else is known of it; usually empty. */
    metadata: Record<string, unknown>
  }
  /** What was paid for, as the payer read it. */
  name: string
  /** Your own word for it, from the session or code; null where there was none. */
  reference: string | null
  /** Twelve digits that all attempts to pay one order share. */
  orderNumber: string
  /** The account that is credited. */
  financialAccountId: string
  /** Finds the lines of the ledger that it wrote; null before it is completed. */
  financialTransactionReference: string | null
  /** What it costs you; empty before it is completed. */
  fees: ({
    /** What the fee is for: `payment`, `payout` or `refund`. */
    code: string
    /** What it costs. */
    amount: ShownMoney
    /** Always empty. */
    metadata: Record<string, unknown>
  })[]
  /** What of it went back. */
  refund: {
    /** How much of it went back. `none`: nothing; `partial`: a part; `full`: all. */
    status: "none" | "partial" | "full" | (string & {})
    /** What has reached the payer. */
    refunded: ShownMoney
    /** What can still be given back. */
    refundable: ShownMoney
  }
  /** Why it failed; null unless `status` is `failed`. */
  failureDetail: {
    /** What programs decide by. `unknown`: the provider gave no reason, never received it, or reports another amount; `fund_insufficient`: not enough money: of the payer’s, or of yours to pay out; `authorization_failed`: the payer declined, gave a wrong PIN or did not answer in time; or the payee’s account does not take this money; `provider_unknown`: the provider is not connected; `provider_unavailable`: the provider is not responding right now, and nothing was sent to it; `provider_account_blocked`: the account at the provider is blocked; `provider_account_missing`: there is no such account at the provider; `provider_account_quota_exhausted`: the account at the provider has reached a limit; `cancelled`: it was cancelled, by you or at the provider; `rejected`: the provider did not allow it, or another member did not approve it. */
    code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected" | (string & {})
    /** A sentence for people. It may change. */
    message: string
  } | null
  /** What the provider wants the payer to do, in its own words: plain text, to be escaped; null if it says nothing. */
  instructions: {
    /** By language, ISO 639: at most ten texts of 500 characters. */
    texts: Record<string, string>
    /** What to dial. */
    dialString: string | null
    /** The payer gets a code, which `submit-code` passes on to the provider; absent otherwise. */
    asksForCode?: true
  } | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type PaymentCode = {
  /** Its id, which never changes. */
  id: string
  /** How often it can be paid. `one_time`: once; `recurrent`: until its target is met or its time is over. */
  mode: "one_time" | "recurrent" | (string & {})
  /** What has become of it. `pending`: it can be paid; `processing`: a payment is in flight; a recurrent one also once it has been paid; `completed`: paid, or its target is met; `expired`: its time is over; `cancelled`: you cancelled it. */
  status: "pending" | "processing" | "completed" | "expired" | "cancelled" | (string & {})
  /** What is paid for, as the payer reads it. */
  name: string
  /** What is to be paid; null: the payer types it. */
  amount: {
    /** The currency, by its three letters of ISO 4217. */
    currency: string
    /** Whole units of the smallest that the currency has. */
    value: number | bigint
  } | null
  /** Whether dials are taken. */
  enable: boolean
  /** The moment from which nobody can begin to pay it. */
  expireTime: string
  /** Whom it is for; null where nobody is named. */
  customer: {
    /** What the customer is called; masked for the role `support`. */
    name: string
  } | null
  /** What the payer dials. */
  ussdCode: string
  /** Your own word for it; null where none was sent. */
  reference: string | null
  /** The only mobile money providers that may pay, by id; null: all. */
  authorizedProviders: (string)[] | null
  /** The only phone that may pay, in E.164, masked for the role `support`; null: every phone. */
  authorizedPhoneNumber: string | null
  /** What completes a recurrent code, whichever comes first; null: only its time ends it. */
  recurrentPaymentTarget: {
    /** How many payments; null: however many. */
    expectedPaymentCount: number | null
    /** What sum; null: whatever it is. */
    expectedPaymentTotal: {
      /** The currency, by its three letters of ISO 4217. */
      currency: string
      /** Whole units of the smallest that the currency has. */
      value: number | bigint
    } | null
  } | null
  /** The account that is credited. */
  financialAccountId: string
  /** Its last completed payment; null before there is one. */
  processedPaymentData: {
    /** What was paid. */
    amount: ShownMoney
    /** The order that was paid. */
    orderId: string
    /** As `GET /v1/payments/{id}` shows it. */
    paymentId: string
    /** The twelve digits of the order, as on its receipt. */
    orderNumber: string
    /** How it was paid. */
    channelData: {
      /** The provider of the payer’s account. */
      providerId: string
      /** The payer’s account, masked. */
      accountId: string
      /** The provider’s own transaction; null where it gave none. */
      reference: string | null
    }
    /** Finds the lines of the ledger that it wrote. */
    financialTransactionReference: string
    /** Whatever else is known of it; usually empty. */
    metadata: Record<string, unknown>
  } | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type PaymentLink = {
  /** Its id, which never changes. */
  id: string
  /** What has become of it. `active`: it can be paid; `inactive`: you have paused it; `completed`: it took as many payments as it takes; `expired`: its time is over; `cancelled`: you cancelled it. */
  status: "active" | "inactive" | "completed" | "expired" | "cancelled" | (string & {})
  /** Share this. */
  url: string
  /** The address as a QR code to print, in SVG. */
  qrUrl: string
  /** What the payer reads first. */
  name: string
  /** More about it; null where nothing was said. */
  description: string | null
  /** What the items cost, taken once; null where the payer types the amount. */
  amount: {
    /** The currency, by its three letters of ISO 4217. */
    currency: string
    /** Whole units of the smallest that the currency has. */
    value: number | bigint
  } | null
  /** What is paid for; null where the payer types the amount. */
  lineItems: ({
    /** What kind of line it is: `custom`, the only one, is named and priced here. */
    type?: "custom" | (string & {})
    /** What the payer reads on this line. */
    name: string
    /** The price of one unit. */
    price: Money
    /** How many units. */
    quantity?: number
    /** Your own word for the line: the key of its entitlement on the receipt. */
    reference?: string
    /** More about it, shown below the line’s name. */
    description?: string
    /** Addresses of pictures of it. */
    images?: (string)[]
  })[] | null
  /** The bounds of an amount that the payer types; null where there are line items. */
  openAmount: {
    /** What the payer pays in. */
    currency: string
    /** The least, in minor units; null: anything. */
    minimum: number | null
    /** The most, in minor units; null: anything. */
    maximum: number | null
  } | null
  /** How often the payer can take all items; null: once. */
  quantity: {
    /** The fewest that can be taken. */
    minimum: number
    /** The most that can be taken. */
    maximum: number
  } | null
  /** What the payer is asked for; null: nothing. */
  payerReference: {
    /** What the payer is asked for. */
    label: string
    /** Whether nobody can pay without it. */
    isRequired: boolean
  } | null
  /** The account that is credited. */
  financialAccountId: string
  /** How its pages look, where they differ from the Space’s own brand. */
  brandingOptions: {
    /** The colour of buttons and headings; null: the Space’s own. */
    primaryColor: string | null
  }
  /** What the payer reads once it is paid; null: nothing of yours. */
  successText: string | null
  /** Where the payer goes once it is paid; null: to a page of ours. */
  successUrl: string | null
  /** Whether a payment can begin. */
  active: boolean
  /** From when on no payment begins; null: never. */
  expireTime: string | null
  /** How many payments it takes; null: as many as come. */
  maxPayments: number | null
  /** Payments that are completed. */
  paymentCount: number
  /** What they came to. */
  paymentTotal: ShownMoney
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type Payout = {
  /** Its id, which never changes. */
  id: string
  /** What has become of it. `pending`: amount and fee are held; it waits for its turn or for approval; `processing`: the provider has it and alone decides its outcome; `completed`: the money has left; `failed`: no money has left, and nothing is held any more. */
  status: "pending" | "processing" | "completed" | "failed" | (string & {})
  /** What the payee gets. */
  amount: ShownMoney
  /** Where the money comes from. */
  source: {
    /** The account that pays amount and fee. */
    financialAccountId: string
    /** Finds the lines of the ledger that it wrote; null before it is completed. */
    transactionReference: string | null
  }
  /** The payee. */
  destination: {
    /** What kind of account the payee has. `bank`: a bank account; `momo`: a phone with mobile money; `wallet`: a wallet. */
    type: "bank" | "momo" | "wallet" | (string & {})
    /** Who holds the payee’s account. */
    providerId: string
    /** Of `momo`: the phone, in E.164. momo */
    phoneNumber?: string
    /** Of `bank`: the account. bank */
    accountNumber?: string
    /** Of `wallet`: the payee’s name or number there. wallet */
    walletId?: string
    /** The provider’s own transaction; null before there is one. */
    transactionReference: string | null
  }
  /** What it costs, on top of the amount. */
  fees: ({
    /** What the fee is for: `payment`, `payout` or `refund`. */
    code: string
    /** What it costs. */
    amount: ShownMoney
    /** Always empty. */
    metadata: Record<string, unknown>
  })[]
  /** Why it failed; null unless `status` is `failed`. */
  failureDetail: {
    /** What programs decide by. `unknown`: the provider gave no reason, never received it, or reports another amount; `fund_insufficient`: not enough money: of the payer’s, or of yours to pay out; `authorization_failed`: the payer declined, gave a wrong PIN or did not answer in time; or the payee’s account does not take this money; `provider_unknown`: the provider is not connected; `provider_unavailable`: the provider is not responding right now, and nothing was sent to it; `provider_account_blocked`: the account at the provider is blocked; `provider_account_missing`: there is no such account at the provider; `provider_account_quota_exhausted`: the account at the provider has reached a limit; `cancelled`: it was cancelled, by you or at the provider; `rejected`: the provider did not allow it, or another member did not approve it. */
    code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected" | (string & {})
    /** A sentence for people. It may change. */
    message: string
  } | null
  /** Whether another user has to approve, and who decided when; null where nobody has to. */
  approval: {
    /** Where it stands. `required`: nobody has decided yet; `approved`, `rejected`: somebody has. */
    status?: "required" | "approved" | "rejected" | (string & {})
    /** Who decided; null while nobody has. */
    userId?: string | null
    /** When; null while nobody has. */
    time?: string | null
  } | null
  /** The batch that it is of; null where it was created alone. */
  batchId: string | null
  /** The user who created it. */
  createUserId: string
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

/** `counts` are those of its payouts by their status, and of its rows, which have no payouts before it is approved; `totals` are in each of its currencies. */
export type PayoutBatch = {
  /** Its id, which never changes. */
  id: string
  /** What has become of it. `pending`: another member has to approve it; nothing is held; `processing`: all of its payouts are there, and go their own ways; `completed`: all of them have ended; `rejected`: not approved: no payout of it was created; `cancelled`: you cancelled it: no payout of it was created. */
  status: "pending" | "processing" | "completed" | "rejected" | "cancelled" | (string & {})
  /** What the batch is for. */
  name: string
  /** Where the money comes from. */
  source: {
    /** The account that pays; null: the Space’s main account of each currency. */
    financialAccountId: string | null
  }
  /** How many there are. */
  counts: {
    /** Rows of the batch. */
    rows: number
    /** Payouts that wait. */
    pending: number
    /** Payouts that are at their provider. */
    processing: number
    /** Payouts that have arrived. */
    completed: number
    /** Payouts that have not. */
    failed: number
  }
  /** Sums, one for each currency. */
  totals: ({
    /** Of all rows. */
    amount: ShownMoney
    /** Of payouts that have arrived. */
    completed: ShownMoney
    /** Of payouts that have not. */
    failed: ShownMoney
  })[]
  /** Whether another user has to approve, and who decided when; null where nobody has to. */
  approval: {
    /** Where it stands. `required`: nobody has decided yet; `approved`, `rejected`: somebody has. */
    status?: "required" | "approved" | "rejected" | (string & {})
    /** Who decided; null while nobody has. */
    userId?: string | null
    /** When; null while nobody has. */
    time?: string | null
  } | null
  /** The user who created it. */
  createUserId: string
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
}

export type PayoutBatchRow = {
  /** Which row of the batch it is, from 1. */
  number: number
  /** What the payee gets. */
  amount: ShownMoney
  /** The payee. */
  destination: {
    /** What kind of account the payee has. `bank`: a bank account; `momo`: a phone with mobile money; `wallet`: a wallet. */
    type: "bank" | "momo" | "wallet" | (string & {})
    /** Who holds the payee’s account. */
    providerId: string
    /** Of `momo`: the phone, in E.164. momo */
    phoneNumber?: string
    /** Of `bank`: the account. bank */
    accountNumber?: string
    /** Of `wallet`: the payee’s name or number there. wallet */
    walletId?: string
  }
  /** What the merchant calls the payee; null where nothing was sent. */
  name: string | null
  /** The merchant’s own word for it; null where nothing was sent. */
  reference: string | null
  /** What it has become; null before the batch is approved. */
  payout: {
    /** The id of the payout. */
    id?: string
    /** What has become of the payout. */
    status?: string
  } | null
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type PhoneNumber = {
  /** The number in E.164. */
  phoneNumber: string
  /** Whose number it is: two letters of ISO 3166-1; null where that is not known. */
  country: string | null
  /** The network that gave the number out; null where we do not know. */
  network: string | null
  /** Whether numbers cannot leave their network there. A payout to a provider of another network is then refused. */
  certain: boolean
  /** The mobile-money providers whose account it probably is, of those that can be used in the environment of the token. */
  providers: ({
    /** Its id, as payouts take it. */
    providerId: string
    /** What people know it by. */
    name: string
  })[]
}

export type Provider = {
  /** Its id, as payouts and payment options take it. */
  providerId: string
  /** What people know it by. */
  name: string
  /** Where its accounts are: two letters of ISO 3166-1. */
  country: string
  /** What it can do now. */
  status: {
    /** Whether it can be used in the environment of the token. */
    active: boolean
  }
  /** What it can do at all, in this installation. */
  featureSet: {
    /** Money to its accounts. */
    payout: {
      /** Whether its accounts can be paid out to. */
      canPayTo: boolean
      /** The payment schemes that it takes part in. */
      schemes: (string)[]
      /** Whatever else is known of it; usually empty. */
      metadata: Record<string, unknown>
    }
    /** Money from its accounts. */
    payment: {
      /** Whether payers can pay with it. */
      canPayFrom: boolean
      /** The payment schemes that it takes part in. */
      schemes: (string)[]
      /** Whatever else is known of it; usually empty. */
      metadata: Record<string, unknown>
    }
    /** Looking up whose account it is. */
    kycVerification: {
      /** Whether `GET /v1/provider-kyc/{providerId}` works. */
      canVerifyAccount: boolean
      /** Whatever else is known of it; usually empty. */
      metadata: Record<string, unknown>
    }
  }
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
}

export type ProviderKyc = {
  /** The account that was looked up. */
  account: {
    /** As payouts take it: a phone number in E.164. */
    id: string
    /** The holder’s name; masked for callers without `provider-kyc:read`. */
    name: string
    /** The same name. */
    holderName: string
    /** `active`: whether the account can be paid to; null where the provider does not say. */
    metadata: Record<string, unknown>
  }
  /** Who holds the account. */
  provider: {
    /** The id of the provider. */
    id: string
    /** What kind of account it has. `momo`: phones with mobile money; `bank`: bank accounts; `wallet`: wallets; `card`: cards. */
    type: "momo" | "bank" | "wallet" | "card" | (string & {})
    /** What people know it by. */
    name: string
  }
}

export type ProviderStatement = {
  /** The number of the statement. */
  id: string
  /** Whose statement it is, by the id of the provider. */
  providerId: string
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live" | (string & {})
  /** What the file is called. */
  fileName: string
  /** The time of its first line, or what it says to cover. */
  from: string
  /** The time of its last line, or what it says to cover. */
  until: string
  /** That its mapping does not leave out. */
  lines: number
  /** That no earlier statement had. */
  newLines: number
  /** The email address of an operator; null: a command. */
  importedBy: string | null
  /** When it was created, by the clock of the Space. */
  createTime: string
}

export type Recall = {
  /** Its id, which never changes. */
  id: string
  /** What has become of it. `open`: it is being asked for; `returned`: all or a part came back; `refused`: nothing comes back; `cancelled`: you cancelled it, or a case was opened that decides about the money. */
  status: "open" | "returned" | "refused" | "cancelled" | (string & {})
  /** The payout that is asked back. */
  payoutId: string
  /** What is asked back. */
  amount: ShownMoney
  /** What came back so far. */
  returned: ShownMoney
  /** Why it is asked back. `wrong_payee`: it went to the wrong account; `wrong_amount`: another amount was meant; `duplicate`: paid twice; `fraudulent`: somebody cheated; `other`: something else. */
  reason: "wrong_payee" | "wrong_amount" | "duplicate" | "fraudulent" | "other" | (string & {})
  /** A remark for whoever asks; null where there is none. */
  note: string | null
  /** Where the money comes back from. */
  source: {
    /** The provider of the payee’s account. */
    providerId: string
    /** The provider’s own transaction of what came back; null before. */
    transactionReference: string | null
  }
  /** Where the money comes back to. */
  destination: {
    /** The account that had paid. */
    financialAccountId: string
    /** Finds the lines of the ledger of what came back; null before. */
    transactionReference: string | null
  }
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type Receipt = {
  /** How much of it was redeemed. `not_redeemed`: nothing; `partially_redeemed`: a part; `fully_redeemed`: all. */
  status: "not_redeemed" | "partially_redeemed" | "fully_redeemed" | (string & {})
  /** What was paid for. */
  orderName: string
  /** The twelve digits of the order. */
  orderNumber: string
  /** What was paid. */
  orderAmount: ShownMoney
  /** What the payer may claim: one for each line that was sold. */
  entitlements: ({
    /** The reference of the line item, or its id. */
    key: string
    /** What the line is called. */
    name: string
    /** Units that were paid for. */
    limit: number
    /** Units redeemed so far. */
    current: number
    /** Units that can still be redeemed. */
    remaining: number
    /** Whether nothing remains. */
    exhausted: boolean
  })[]
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Your own data of the redemption that was last. */
  metadata: Record<string, unknown>
}

export type ReceiptMail = {
  /** Always true: the mail is on its way. */
  isQueued: boolean
}

export type ReconciledDays = {
  /** False while what was booked is still being summed: ask again in a moment. */
  isWhole: boolean
  /** The last first; days on which something was booked. */
  days: ({
    /** A day in the time zone of the Space’s country. */
    date: string
    /** The id of the provider. */
    provider: string
    /** `collection`: what came in; `disbursement`: what went out. An amount below zero went the other way, as what is settled with a bank. */
    direction: "collection" | "disbursement" | (string & {})
    /** Lines that were booked. */
    count: number
    /** The sum of these lines. */
    amount: ShownMoney
    /** What nobody has explained yet. */
    open: {
      /** Of these, those that no statement shows and nobody has explained. */
      count: number
      /** The sum of those. */
      amount: ShownMoney
      /** There may be more: only the newest 2 000 open lines are counted. */
      estimated: boolean
    }
    /** `awaited`: statements do not cover all of it, or it is still to be matched; `differs`: something is open; `matched`: nothing is; `closed`: whoever runs the installation has signed it. */
    state: "closed" | "awaited" | "differs" | "matched" | (string & {})
  })[]
}

export type ReconciliationItem = {
  /** `awaited`: no statement covers its time; `differs`: one does, and shows no such movement, or another amount. */
  state: "awaited" | "differs" | (string & {})
  /** A day in the time zone of the Space’s country. */
  date: string
  /** The id of the provider. */
  provider: string
  /** `collection`: what came in; `disbursement`: what went out. An amount below zero went the other way, as what is settled with a bank. */
  direction: "collection" | "disbursement" | (string & {})
  /** What the line says. */
  amount: ShownMoney
  /** When it was booked. */
  time: string
  /** What it is about: a payment, a payout, a refund. */
  objectId: string | null
}

export type RecoveryCodes = {
  /** Each takes the place of one code, once. They are shown this once. */
  recoveryCodes: (string)[]
}

export type Refund = {
  /** Its id, which never changes. */
  id: string
  /** What has become of it. `pending`: amount and fee are held; it waits, as `pendingReason` says; `processing`: the provider has it and alone decides its outcome; `completed`: the payer has the money; `failed`: no money has left, and the payment can be refunded as before; `cancelled`: you cancelled it, or it was not approved. */
  status: "pending" | "processing" | "completed" | "failed" | "cancelled" | (string & {})
  /** Why a pending refund has not left; null where it is about to, and of all others. `approval`: another member decides; `insufficient_balance`: the account has too little; `provider_unavailable`: the provider takes nothing now. */
  pendingReason: "approval" | "insufficient_balance" | "provider_unavailable" | null | (string & {})
  /** The payment that goes back. */
  paymentId: string
  /** The twelve digits of the order that was paid. */
  orderNumber: string
  /** What is given back of the payment. */
  amount: ShownMoney
  /** What the refund itself costs. */
  fees: ({
    /** What the fee is for: `payment`, `payout` or `refund`. */
    code: string
    /** What it costs. */
    amount: ShownMoney
    /** Always empty. */
    metadata: Record<string, unknown>
  })[]
  /** Who pays the refund’s fee. `merchant`: you, on top of the amount; `payer`: the payer, out of the amount. */
  bearer: "merchant" | "payer" | (string & {})
  /** Where the money comes from. */
  source: {
    /** The account that got the payment. */
    financialAccountId: string
    /** Finds the lines of the ledger that it wrote; null before it is completed. */
    transactionReference: string | null
  }
  /** The account that paid: no other can be chosen. */
  destination: {
    /** What kind of account it is. `momo`: a phone with mobile money; `bank`: a bank account; `wallet`: a wallet; `card`: a card. */
    type: "momo" | "bank" | "wallet" | "card" | (string & {})
    /** Who holds the account. */
    providerId: string
    /** momo: masked. */
    phoneNumber?: string
    /** bank: masked. */
    accountNumber?: string
    /** wallet: masked. */
    walletId?: string
    /** card: its network, `visa`, `mastercard` or `verve`; null where that is not known. */
    scheme?: "visa" | "mastercard" | "verve" | null | (string & {})
    /** card: its last four digits; null where they are not known. */
    last4?: string | null
    /** The provider’s own transaction; null before there is one. */
    transactionReference: string | null
  }
  /** How the money goes back. `provider_refund`: the provider refunds its own transaction; `payout`: it is paid out to the account that paid. */
  method: "provider_refund" | "payout" | (string & {})
  /** Why it is given back. `requested_by_customer`: the payer asked for it; `duplicate`: paid twice; `fraudulent`: somebody else paid with the account; `wrong_amount`: another amount was due; `order_cancelled`: the order was cancelled; `late_payment`: the money came after its payment had failed; `other`: something else. */
  reason: "requested_by_customer" | "duplicate" | "fraudulent" | "wrong_amount" | "order_cancelled" | "late_payment" | "other" | (string & {})
  /** Your team’s own remark; null where there is none. */
  note: string | null
  /** What the payer is shown where the provider can; null: nothing. */
  payerMessage: string | null
  /** Why it failed; null unless `status` is `failed`. */
  failureDetail: {
    /** What programs decide by. `unknown`: the provider gave no reason, never received it, or reports another amount; `fund_insufficient`: not enough money: of the payer’s, or of yours to pay out; `authorization_failed`: the payer declined, gave a wrong PIN or did not answer in time; or the payee’s account does not take this money; `provider_unknown`: the provider is not connected; `provider_unavailable`: the provider is not responding right now, and nothing was sent to it; `provider_account_blocked`: the account at the provider is blocked; `provider_account_missing`: there is no such account at the provider; `provider_account_quota_exhausted`: the account at the provider has reached a limit; `cancelled`: it was cancelled, by you or at the provider; `rejected`: the provider did not allow it, or another member did not approve it. */
    code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected" | (string & {})
    /** A sentence for people. It may change. */
    message: string
  } | null
  /** Whether another user has to approve, and who decided when; null where nobody has to. */
  approval: {
    /** Where it stands. `required`: nobody has decided yet; `approved`, `rejected`: somebody has. */
    status?: "required" | "approved" | "rejected" | (string & {})
    /** Who decided; null while nobody has. */
    userId?: string | null
    /** When; null while nobody has. */
    time?: string | null
  } | null
  /** The user who created it; null where the operator gave the money back. */
  createUserId: string | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** When the payer had the money; null before. */
  completeTime: string | null
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type ReopenedDay = {
  /** Whose day it is, by the id of the provider. */
  providerId: string
  /** The environment of the connection, whatever that of the token: `test` or `live`. */
  environment: "test" | "live" | (string & {})
  /** A day in the country of the provider. */
  day: string
  /** When it was opened again. */
  reopenTime: string | null
}

export type Sessions = {
  /** All that are open, the one that was used last first. */
  sessions: ({
    /** The id of the session. */
    id: string
    /** The session that calls. */
    isCurrent: boolean
    /** How this person signed in. `link`: by a link in a mail; `passkey`: by a passkey; `oidc`: at the identity provider. */
    method: "link" | "passkey" | "oidc" | (string & {})
    /** The network address that the browser last came from. */
    address: string
    /** What the browser calls itself, cut to 200 characters. */
    agent: string
    /** When it began. */
    createTime: string
    /** When it last called. */
    lastUseTime: string
    /** When it ends by itself. */
    expireTime: string
  })[]
}

export type Settings = {
  /** The Space that these settings are of. */
  spaceId: string
  /** What the Space is called. */
  name: string
  /** Its two letters of ISO 3166-1. */
  country: string
  /** Where its days and months begin. */
  timeZone: string
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** How the Space’s pages look to payers; null in a field: nothing of its own. */
  brand: {
    /** What payers read in place of the Space’s name. */
    name: string | null
    /** The colour of buttons and headings. */
    color: string | null
    /** Where payers write to. */
    supportEmail: string | null
    /** Where payers call. */
    supportPhone: string | null
    /** The terms of the sale. */
    termsUrl: string | null
  }
  /** Where the logo of the brand is; another one has another address. */
  logoUrl: string | null
  /** Above so many minor units another member has to approve a payout, by currency; in a currency that is not here nobody has to. */
  payoutApprovalAbove: (ApprovalAbove)[]
  /** Above so many minor units another member has to approve a refund, by currency; in a currency that is not here nobody has to. */
  refundApprovalAbove: (ApprovalAbove)[]
  /** Limits that a member wants to raise or to remove. They count once another member changes the settings to the same, within 7 days. */
  proposedApprovalsAbove: ({
    /** What needs approval above it. `payout`: payouts; `refund`: refunds. */
    kind: "payout" | "refund" | (string & {})
    /** The currency of the limit. */
    currency: string
    /** The limit that somebody wants; null: none, so that nobody has to approve. */
    value: number | null
    /** The member who wants it. */
    proposedBy: string
    /** When they wanted it. */
    time: string
  })[]
  /** What becomes of a refund that there is too little money for. `refuse`: it is refused; `queue`: it waits for money, for 30 days. */
  refundsWhenShort: "refuse" | "queue" | (string & {})
  /** Whether the fee of a payment goes back to the Space with its refunds. */
  returnsPaymentFee: boolean
  /** Whether payers who pay a session with mobile money get the link of their receipt as a text message, where the operator sends any. */
  receiptsBySms: boolean
  /** What the Space pays for each; the operator sets it. */
  fees: ({
    /** What the fee is for. `payment`: each payment; `payout`: each payout; `refund`: each refund. */
    code: "payment" | "payout" | "refund" | (string & {})
    /** What it costs: parts of the amount, and a minimum per currency. */
    rule: string
    /** The Space has no rule of its own. */
    isStandard: boolean
  })[]
}

export type SettingsChange = {
  /** How the Space’s pages look to payers. */
  brand?: {
    /** As payers read it, in place of the Space’s own. */
    name?: string | null
    /** The colour of buttons and headings: `#` and 3 or 6 hexadecimal digits. */
    color?: string | null
    /** A PNG of at most 64 KiB and 1024 × 1024 pixels, as a `data:` address. */
    logo?: string | null
    /** Where payers write to. */
    supportEmail?: string | null
    /** Where payers call. */
    supportPhone?: string | null
    /** The terms of the sale. An absolute http or https address without credentials. */
    termsUrl?: string | null
  }
  /** Above so many minor units another member has to approve a payout, by currency; in a currency that is not here nobody has to. */
  payoutApprovalAbove?: (ApprovalAbove)[]
  /** Above so many minor units another member has to approve a refund, by currency; in a currency that is not here nobody has to. */
  refundApprovalAbove?: (ApprovalAbove)[]
  /** What becomes of a refund that there is too little money for. `refuse`: it is refused; `queue`: it waits for money, for 30 days. */
  refundsWhenShort?: "refuse" | "queue"
  /** Whether the fee of a payment goes back to the Space with its refunds. */
  returnsPaymentFee?: boolean
  /** Whether payers who pay a session with mobile money get the link of their receipt as a text message, where the operator sends any. */
  receiptsBySms?: boolean
  /** Why, for the audit entry. */
  reason?: string
}

export type Settlement = {
  /** Its id, which never changes. */
  id: string
  /** Whether it stands. `booked`: it does; `reversed`: it was taken back. */
  status: "booked" | "reversed" | (string & {})
  /** What was settled. `payout_to_bank`: the provider paid out what it had collected; `float_top_up`: the bank paid in what payouts are made from. */
  kind: "payout_to_bank" | "float_top_up" | (string & {})
  /** Who paid or was paid, by the id of the provider. */
  providerId: string
  /** Whose clearing account it is. `collection`: of money that came in; `disbursement`: of money that goes out. */
  direction: "collection" | "disbursement" | (string & {})
  /** What moved between provider and bank. */
  amount: ShownMoney
  /** As the bank’s statement has it. */
  bankReference: string
  /** The day by the bank. */
  valueDate: string
  /** A remark; null where there is none. */
  note: string | null
  /** Whether the provider was allowed to pay more than it owed. */
  isAdvance: boolean
  /** The id of a user, or who ran the command, in their own words. */
  createdBy: string
  /** Finds the two lines of the ledger. */
  financialTransactionReference: string
  /** Who took it back; null where nobody did. */
  reversal: {
    /** The id of a user, or who ran the command, in their own words. */
    by?: string
    /** Why, in their words. */
    reason?: string
    /** Finds the two lines that went the other way. */
    financialTransactionReference?: string
    /** When it was taken back. */
    createTime?: string
  } | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
}

/** `expectedBefore` and `collected`, less `refunded`, `paidOut` and `settled`, with `other`, are `expected`: what the provider holds by the books. `fees`: what was charged for these movements, which is not taken at the provider. */
export type SettlementReportRow = {
  /** The first day of its time, in the time zone of the Space’s country. */
  date: string
  /** Where the row begins. */
  from: string
  /** Where the row ends: what is booked at this moment is in the next. */
  to: string
  /** Whether it stays as it is: nothing can be booked into its time any more. */
  final: boolean
  /** The id of the provider. */
  provider: string
  /** Whose clearing account it is. `collection`: of money that came in; `disbursement`: of money that went out. */
  direction: "collection" | "disbursement" | (string & {})
  /** Movements at the provider. */
  count: number
  /** What the provider owed at `from`. */
  expectedBefore: ShownMoney
  /** What payers paid. */
  collected: ShownMoney
  /** What went back to payers. */
  refunded: ShownMoney
  /** What was paid out. */
  paidOut: ShownMoney
  /** What the provider and a bank moved between them. */
  settled: ShownMoney
  /** Whatever else was booked. */
  other: ShownMoney
  /** What the provider owes at `to`. */
  expected: ShownMoney
  /** Fees of what was moved; they are not part of what the provider owes. */
  fees: ShownMoney
}

/** In whole minor units, exact whatever its size: a sum can be more than 9007199254740991, the largest integer that every double holds. */
export type ShownMoney = {
  /** The currency, by its three letters of ISO 4217. */
  currency: string
  /** Whole units of the smallest that the currency has. */
  value: number | bigint
}

export type SignIn = {
  /** Its id, which never changes. */
  id: string
  /** How. `link`: by a link in a mail; `passkey`: by a passkey; `totp`: by a code of the authenticator app; `recovery_code`: by a recovery code; `oidc`: at the identity provider. */
  method: "link" | "passkey" | "totp" | "recovery_code" | "oidc" | (string & {})
  /** By somebody who was signed in, to show again who they are. */
  isStepUp: boolean
  /** `succeeded`, `failed`, or `locked`: not even looked at, after too many that failed. */
  result: "succeeded" | "failed" | "locked" | (string & {})
  /** The network address that it came from. */
  address: string
  /** What the browser calls itself, cut to 200 characters. */
  agent: string
  /** When it was created, by the clock of the Space. */
  createTime: string
}

export type SignIns = {
  /** The latest first. */
  signIns: (SignIn)[]
}

export type SignedIn = {
  /** Who signed in. */
  userId: string
  /** Nobody is signed in yet: `POST /v1/sign-in/code` with a code of their authenticator app does it, within ten minutes. */
  isCodeNeeded: boolean
}

export type Status = {
  /** The name of the program. */
  platform: string
  /** What it is about. */
  tagline: string
  /** The caller. */
  status: {
    /** The environment of the token, `test` or `live`; null without a valid one. */
    environment: "test" | "live" | null | (string & {})
    /** Whether the token is valid. */
    isAuthenticated: boolean
  }
  /** null without a valid token. */
  apiVersion: {
    /** The version that serves. */
    id: string
    /** Which set of compatible versions it belongs to. */
    release: {
      /** What the release is called. */
      name: string
      /** The day of the release. */
      date: string
    }
    /** Whether it will end, so that clients should change over. */
    deprecated: boolean
    /** Descriptions for programs. */
    apiSchemas: {
      /** Where this document is. */
      openApi: string
    }
  } | null
  /** Where the request came from. */
  requestOrigin: {
    /** ZZ where it is not known. */
    country: string
    /** The network address of the caller. */
    ipAddress: string
  }
}

export type Successes = {
  /** How many succeeded. */
  succeeded: number
  /** How many failed. */
  failed: number
  /** Of those that ended, in percent with one decimal; null where none did. */
  percent: number | null
}

export type TestClock = {
  /** What time it is in the Space. */
  now: string
  /** How far ahead of real time, in milliseconds. */
  offsetMs: number
}

export type Totp = {
  /** Whether a link by mail asks for a code, too. */
  isEnabled: boolean
  /** When it was confirmed; null: there is none. */
  enableTime: string | null
  /** Recovery codes that are left. */
  recoveryCodeCount: number
  /** Until when no code of the app is accepted in browsers that the caller has signed in with, after too many wrong ones. */
  lockedUntilTime: string | null
  /** The same, of all other browsers. */
  lockedElsewhereUntilTime: string | null
}

export type TotpSecret = {
  /** In base32, to be typed. */
  secret: string
  /** The same for a QR code. */
  uri: string
}

export type UssdOtp = {
  /** Its id, which never changes. */
  id: string
  /** Whether the phone has proved itself. `pending`: it has not dialled yet; `verified`: it has; `expired`: it was not dialled in time, or you ended it. */
  status: "pending" | "verified" | "expired" | (string & {})
  /** Show this to who is to dial it. */
  dialCode: string
  /** The only phone that counts, in E.164. */
  authorizedPhoneNumber: string
  /** What the phone is shown once it has dialled; null: words of ours. */
  verificationMessage: string | null
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** The moment from which it cannot be dialled. */
  expireTime: string
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type Webhook = {
  /** Its id, which never changes. */
  id: string
  /** What your team calls it. */
  name: string
  /** The release that events are written in. */
  apiRelease: string
  /** Where events are sent. */
  url: string
  /** What is sent: types, `payment.*` for all of a resource, or `*`. */
  events: (string)[]
  /** Whether events are sent. */
  enabled: boolean
  /** Since when no delivery to it has succeeded, while some were tried; null where the last one did, and before the first. */
  failingSinceTime: string | null
  /** Values are `****` for callers without `webhooks:write`, and in events. */
  headers: Record<string, string>
  /** Who gets a mail when we disable it. */
  alertEmails: (string)[]
  /** How deliveries are signed. */
  verificationMethod: {
    /** The algorithm. `HS256`: HMAC-SHA256, by a secret that both sides have; `ED25519`: ed25519, by a key that we alone have. */
    type: "HS256" | "ED25519" | (string & {})
    /** Of HS256: shown when it is made, and never again. */
    secret?: string
    /** Of ED25519: `whpk_` and base64 of the key that signatures are checked with. */
    publicKey?: string
  }
  /** When it was created, by the clock of the Space. */
  createTime: string
  /** When it last changed. */
  updateTime: string
  /** Who owns it, and who owns that, up to the Space. */
  ownershipGraph: OwnershipGraph
  /** Your own data, as it was sent. */
  metadata: Record<string, unknown>
}

export type ErrorReason =
  | 'request_invalid'
  | 'arguments_invalid'
  | 'json_invalid'
  | 'space_id_missing'
  | 'space_id_invalid'
  | 'idempotency_key_missing'
  | 'idempotency_key_invalid'
  | 'cursor_invalid'
  | 'version_unknown'
  | 'token_missing'
  | 'token_invalid'
  | 'token_expired'
  | 'sign_in_failed'
  | 'access_denied'
  | 'step_up_required'
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'idempotency_key_in_use'
  | 'idempotency_key_in_progress'
  | 'state_conflict'
  | 'fund_insufficient'
  | 'refund_exceeds_payment'
  | 'refund_limit_reached'
  | 'refund_window_closed'
  | 'refund_unsupported'
  | 'recall_exceeds_payout'
  | 'reference_in_use'
  | 'body_too_large'
  | 'media_type_unsupported'
  | 'headers_too_large'
  | 'too_many_requests'
  | 'internal_error'
  | 'service_unavailable'

type EventOf<Type extends string, Data> = {
  id: string
  type: Type
  apiVersion: string
  environment: 'test' | 'live'
  spaceId: string
  timestamp: string
  /** Rises by one in a Space and environment. */
  sequence: number
  object: { id: string; type: string }
  /** As it was then. */
  data: Data
  /** Of events of a checkout session that was created with one. */
  callbackState?: string | null
}

/** What a webhook receives: its `type` says of what its `data` is. Later versions may send more types. */
export type WebhookEvent =
  | EventOf<'webhook.disabled', Webhook>
  | EventOf<'financial_transaction.created', FinancialTransaction>
  | EventOf<'internal_transfer.created', InternalTransfer>
  | EventOf<'internal_transfer.completed', InternalTransfer>
  | EventOf<'internal_transfer.failed', InternalTransfer>
  | EventOf<'settlement.created', Settlement>
  | EventOf<'settlement.reversed', Settlement>
  | EventOf<'payment.created', Payment>
  | EventOf<'payment.processing', Payment>
  | EventOf<'payment.completed', Payment>
  | EventOf<'payment.failed', Payment>
  | EventOf<'payout.created', Payout>
  | EventOf<'payout.processing', Payout>
  | EventOf<'payout.delayed', Payout>
  | EventOf<'payout.completed', Payout>
  | EventOf<'payout.failed', Payout>
  | EventOf<'payout_batch.created', PayoutBatch>
  | EventOf<'payout_batch.approved', PayoutBatch>
  | EventOf<'payout_batch.rejected', PayoutBatch>
  | EventOf<'payout_batch.cancelled', PayoutBatch>
  | EventOf<'payout_batch.completed', PayoutBatch>
  | EventOf<'recall.created', Recall>
  | EventOf<'recall.returned', Recall>
  | EventOf<'recall.refused', Recall>
  | EventOf<'recall.cancelled', Recall>
  | EventOf<'refund.created', Refund>
  | EventOf<'refund.processing', Refund>
  | EventOf<'refund.delayed', Refund>
  | EventOf<'refund.completed', Refund>
  | EventOf<'refund.failed', Refund>
  | EventOf<'refund.cancelled', Refund>
  | EventOf<'refund.returned', Refund>
  | EventOf<'checkout_session.created', CheckoutSession>
  | EventOf<'checkout_session.completed', CheckoutSession>
  | EventOf<'checkout_session.cancelled', CheckoutSession>
  | EventOf<'checkout_session.expired', CheckoutSession>
  | EventOf<'payment_link.created', PaymentLink>
  | EventOf<'payment_link.completed', PaymentLink>
  | EventOf<'payment_link.expired', PaymentLink>
  | EventOf<'payment_link.cancelled', PaymentLink>
  | EventOf<'payment_code.created', PaymentCode>
  | EventOf<'payment_code.processed', PaymentCode>
  | EventOf<'payment_code.completed', PaymentCode>
  | EventOf<'payment_code.expired', PaymentCode>
  | EventOf<'payment_code.cancelled', PaymentCode>
  | EventOf<'ussd_otp.created', UssdOtp>
  | EventOf<'ussd_otp.verified', UssdOtp>
  | EventOf<'ussd_otp.expired', UssdOtp>
  | EventOf<'ledger.chained', Record<string, unknown>>
