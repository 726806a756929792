// Written by `npm run write` from the routes: edit those instead.

export type AccessToken = {
  /** Like `tok-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  name: string
  environment: "test" | "live" | (string & {})
  status: "active" | "expired" | "revoked" | (string & {})
  /** Whose it is. */
  user: {
    /** Like `usr-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id: string
    email: string
  }
  scopes: (string)[]
  /** False of those that a command made for other Spaces, too. */
  isOfThisSpaceOnly: boolean
  /** Where it may be used from; null: anywhere. */
  networks: (string)[] | null
  /** Of its text, to tell it from others. */
  lastCharacters: string | null
  /** Its text: shown when it is made, and never again. */
  token?: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  lastUseTime: string | null
  expireTime: string | null
  revokeTime: string | null
  /** The token that took its place when it was rolled. */
  replacedById: string | null
}

/** The opening balance and the credits, less the debits, are the closing balance. */
export type AccountStatement = {
  financialAccount: {
    /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id: string
    /** Like `4571920384756103`. */
    uvan: string
  }
  /** Like `2026-11-21T10:00:00.000Z`. */
  from: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  to: string
  /** Whether it stays as it is: no line can be added to it any more. */
  final: boolean
  openingBalance: ShownMoney
  totals?: {
    credits: ShownMoney
    debits: ShownMoney
    count: number
  }
  closingBalance: ShownMoney
  lines: ({
    type: "credit" | "debit" | (string & {})
    /** Like `2026-11-21T10:00:00.000Z`. */
    timestamp: string
    /** Like `ftx-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id: string
    /** Like `20261121-101500123-7k2m9x`. */
    reference: string
    feeCode: string | null
    /** What the money moved for. */
    owner: {
      /** Like `payment`. */
      type?: string
      id?: string
    } | null
    amount: ShownMoney
    balance: ShownMoney
  })[]
  /** The `after` of the page that follows; null at the end. */
  next: string | null
}

export type ApprovalAbove = {
  /** Like `SLE`. */
  currency: string
  /** Like `100000`. */
  value: number
}

/** What a person decided. It is never changed. */
export type AuditEntry = {
  /** Like `aud-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Who: an email address, or what somebody called themselves at a command. */
  actor: string
  /** Like `token.create`. */
  action: string
  object: {
    id: string
    /** Like `token`. */
    type: string
  }
  reason: string
  details: Record<string, unknown>
}

/** The balance at the moment `to`. */
export type BalanceReportRow = {
  /** The first day of its time, in the time zone of the Space’s country. */
  date: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  from: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  to: string
  /** Whether it stays as it is: nothing can be booked into its time any more. */
  final: boolean
  /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  financialAccountId: string
  balance: ShownMoney
}

/** Money of which its rail reported the opposite of the outcome before. It waits for a person. */
export type Case = {
  /** Like `cas-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  kind: "success_after_failure" | "failure_after_success" | (string & {})
  status: "open" | "closed" | (string & {})
  /** Like `pay-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  objectId: string
  amount: ShownMoney
  financialTransactionReference: string | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  closeTime: string | null
}

export type CaseFile = {
  /** Like `pay-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  objectId: string
  /** Like `processing`. */
  status: string
  next: {
    /** approve: another member decides. find_money: the account has too little. send: it leaves for the rail. ask_rail: the rail is asked what became of it. nothing: it has ended. */
    step: "approve" | "find_money" | "send" | "ask_rail" | "nothing" | (string & {})
    /** When that happens by itself, where it is known. */
    time: string | null
  }
  /** Where it stands with the rail; null where nothing was sent. */
  rail: {
    state: string | null
    connection: string | null
    reference: string | null
  }
  /** Oldest first. */
  entries: (CaseFileEntry)[]
  /** Whether these are all: of a kind there are at most 50, the newest. */
  isWhole: boolean
}

/** What its `kind` has. */
export type CaseFileEntry = {
  /** Like `2026-11-21T10:00:00.000Z`. */
  time: string
  /** event: what happened to it. delivery: an event on its way to a webhook, at the time of the last attempt. sent: it left for the rail. delayed: the rail takes long. approved, rejected: by another member. decision: by a person, with a reason. line: booked. refund: of a payment. */
  kind: "event" | "delivery" | "sent" | "delayed" | "approved" | "rejected" | "decision" | "line" | "refund" | (string & {})
  /** Like `evt-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  eventId?: string
  /** Like `payment.completed`. */
  eventType?: string
  /** Like `dlv-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  deliveryId?: string
  /** Like `Orders`. */
  webhookName?: string
  /** Attempts to deliver it. */
  tries?: number
  /** What the webhook responded last; null: nothing. */
  statusCode?: number | null
  /** Like `usr-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  userId?: string
  /** Like `ama@shop.example`. */
  actor?: string
  /** Like `case.close`. */
  action?: string
  reason?: string
  /** Like `ftx-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  transactionId?: string
  /** Like `rfd-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  refundId?: string
  /** Like `completed`. */
  status?: string
  amount?: ShownMoney
}

export type CheckedPayoutBatch = {
  /** Whether such a batch would be taken, but for what the account has. */
  ok: boolean
  /** Whether another user would have to approve it. */
  approvalRequired: boolean
  totals: ({
    rows: number
    amount: ShownMoney
    fees: ShownMoney
    /** What its account would have available afterwards: less than zero, and there is too little money. Needs balances:read. */
    availableAfter?: {
      /** Like `SLE`. */
      currency: string
      /** Like `1500`. */
      value: number | bigint
    }
  })[]
  rows: ({
    /** Which row it is, from 1; headings do not count. */
    number: number
    ok: boolean
    /** Everything that is wrong with it: `param` is a field of the row, or a column of the file. */
    faults: ({
      param: string
      errors: (string)[]
    })[]
    warnings: ({
      code: "duplicate_in_file" | "duplicate_recent" | "first_time_payee" | "network_mismatch" | (string & {})
      message: string
    })[]
  })[]
}

export type CheckoutSession = {
  /** Like `cos-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  name: string
  reference: string | null
  description: string | null
  status: "pending" | "completed" | "cancelled" | "expired" | (string & {})
  /** Send the payer here. */
  redirectUrl: string
  cancelUrl: string | null
  successUrl: string | null
  amount: ShownMoney
  /** Like `482915037264`. */
  orderNumber: string
  lineItems: {
    data: ({
      /** Like `lin-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
      id: string
      type: "custom" | (string & {})
      name: string
      price: Money
      quantity: number
      reference: string | null
      description: string | null
      images: (string)[]
    })[]
  }
  /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  financialAccountId: string
  brandingOptions: {
    primaryColor: string | null
  }
  /** Like `2026-11-21T10:00:00.000Z`. */
  expireTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
  metadata: Record<string, unknown>
}

export type ClosedDays = {
  /** The last first, at most 1 000; one a currency. */
  days: ({
    /** Like `m17`. */
    providerId: string
    /** The environment of the connection, whatever that of the token. */
    environment: "test" | "live" | (string & {})
    /** A day in the country of the provider. */
    day: string
    /** Like `SLE`. */
    currency: string
    stated: {
      /** Like `240`. */
      lines: number
      in: ShownMoney
      out: ShownMoney
    }
    booked: {
      /** Like `240`. */
      lines: number
      in: ShownMoney
      out: ShownMoney
    }
    differences: ({
      side: "stated" | "booked" | (string & {})
      /** Like `other_day`. */
      cause: string
      direction: "collection" | "disbursement" | (string & {})
      /** Like `240`. */
      lines: number
      amount: ShownMoney
    })[]
    /** Who signed it. */
    by: string
    reason: string
    /** Like `2026-11-21T10:00:00.000Z`. */
    closeTime: string
    reopening: {
      by: string
      reason: string
      /** A time, like `2026-11-21T08:00:00Z`. */
      createTime: string
    } | null
  })[]
}

export type ClosedItem = {
  id: string
  state: "amount_differs" | "missing_here" | "missing_there" | "awaited" | (string & {})
  /** Like `2026-11-21T10:00:00.000Z`. */
  closeTime: string
}

export type ConnectionState = {
  /** Like `m17`. */
  connection: string
  /** The environment of the connection, whatever that of the token. */
  environment: "test" | "live" | (string & {})
  /** Like `m17`. */
  providerId: string
  /** Like `Orange Money`. */
  name: string
  /** As `PROVIDERS_FILE` has it. */
  protocol: string
  /** It takes what is new, where it is not paused. */
  isOpen: boolean
  /** Percent of what is new for the provider; null: the rest. */
  share: number | null
  pauses: ({
    /** `collect`: payments; `pay_out`: payouts and refunds. */
    direction: "collect" | "pay_out" | (string & {})
    /** null: all providers of the connection. */
    providerId: string | null
    /** What payers read meanwhile. */
    words: string
    /** Who decided: a person, or the service itself. */
    by: string
    /** Like `2026-11-21T10:00:00.000Z`. */
    createTime: string
    /** When it ends by itself. */
    endTime: string | null
  })[]
  /** Some node leaves it alone until then, because it gives no clear responses. */
  restsUntil: string | null
  collect: DirectionState
  payOut: DirectionState
  /** Of live, where the rail says what is on our account; read every five minutes. */
  float: ({
    /** What the rail says is there, or what the books say. */
    side: "rail" | "books" | (string & {})
    account: string
    amount: ShownMoney
    /** Like `2026-11-21T10:00:00.000Z`. */
    readTime: string
  })[]
  /** When the oldest of its credentials was written. */
  credentialsTime: string | null
}

export type ConnectionStates = {
  connections: (ConnectionState)[]
}

export type ConnectionTest = {
  isOk: boolean
  steps: ({
    /** Like `token for collections`. */
    step: string
    outcome: "ok" | "failed" | "unknown" | (string & {})
    detail: string
  })[]
}

export type CountedSpace = {
  /** Like `spc-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `Country Cloth Shop`. */
  name: string
  /** Like `SL`. */
  country: string
  /** Every call of a suspended Space is refused, and it takes no payments. */
  status: "active" | "suspended" | (string & {})
  suspension: {
    /** The email address of the operator. */
    by: string
    reason: string
    /** A time, like `2026-11-21T08:00:00Z`. */
    createTime: string
  } | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Its members, counted to 100. */
  memberCount: number
  /** Its cases that wait for a person, of each environment and both, counted to 100. */
  openCaseCount: number
}

export type Country = {
  /** Like `SL`. */
  code: string
  /** Like `Sierra Leone`. */
  name: string
  currency: {
    /** Like `SLE`. */
    code: string
    /** The name of the minor unit. */
    unit: string
    /** The digits of the minor unit. */
    unitLength: number
  }
  supportedCurrencies: (string)[]
}

export type DaysOfProvider = {
  /** The last first, at most 1 000; one a currency. */
  days: ({
    /** Like `m17`. */
    providerId: string
    /** The environment of the connection, whatever that of the token. */
    environment: "test" | "live" | (string & {})
    /** A day in the country of the provider. */
    day: string
    /** Like `SLE`. */
    currency: string
    stated: {
      /** Like `240`. */
      lines: number
      in: ShownMoney
      out: ShownMoney
    }
    booked: {
      /** Like `240`. */
      lines: number
      in: ShownMoney
      out: ShownMoney
    }
    differences: ({
      side: "stated" | "booked" | (string & {})
      /** Like `other_day`. */
      cause: string
      direction: "collection" | "disbursement" | (string & {})
      /** Like `240`. */
      lines: number
      amount: ShownMoney
    })[]
    /** Who signed it. */
    by: string
    reason: string
    /** Like `2026-11-21T10:00:00.000Z`. */
    closeTime: string
    reopening: {
      by: string
      reason: string
      /** A time, like `2026-11-21T08:00:00Z`. */
      createTime: string
    } | null
  })[]
  /** Days of the last 100 that are over and not closed, the first first, since statements began. */
  toClose: ({
    /** A day in the country of the provider. */
    day: string
    /** The first time of the day that no statement covers; null where they cover all of it. */
    gap: {
      /** A time, like `2026-11-21T08:00:00Z`. */
      from: string
      /** A time, like `2026-11-21T08:00:00Z`. */
      until: string
    } | null
  })[]
}

/** One event on its way to one webhook. The last 25 attempts are kept. */
export type Delivery = {
  /** Like `dlv-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `whk-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  webhookId: string
  /** Like `evt-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  eventId: string
  /** Like `payment.completed`. */
  eventType: string
  status: "pending" | "delivered" | "failed" | (string & {})
  nextAttemptTime: string | null
  attempts: ({
    /** Like `2026-11-21T10:00:00.000Z`. */
    time: string
    statusCode: number | null
    durationMs: number
    /** Why there was no response. */
    error: string | null
    /** The first 1 KiB of the response. */
    responseBody: string | null
  })[]
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
}

export type DirectionState = {
  lastHour: Successes
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
  /** Like `evt-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  type: "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained" | "webhook.ping" | (string & {})
  /** Like `baobab.2026-11-21`. */
  apiVersion: string
  environment: "test" | "live" | (string & {})
  /** Like `spc-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  spaceId: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  timestamp: string
  /** Rises by one in the order of commits. */
  sequence: number
  object: {
    id: string
    /** Like `payment`. */
    type: string
  }
  /** What the checkout session was created with; with its events only. */
  callbackState?: string
  data: Record<string, unknown>
}

export type FeePreview = {
  /** Like `2026-11-21T10:00:00.000Z`. */
  since: string
  /** Like `240`. */
  payments: number
  /** These are all completed payments of the last 30 days, not only the newest 10 000. */
  isWhole: boolean
  sums: ({
    payments: number
    collected: ShownMoney
    charged: ShownMoney
    wouldBe: ShownMoney
  })[]
}

/** `charged` less `returned` is `amount`. */
export type FeeReportRow = {
  /** Like `payment`. */
  code: string
  provider: string | null
  direction: string | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  from: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  to: string
  /** Whether it stays as it is: nothing can be booked into its time any more. */
  final: boolean
  /** Fees that were charged or returned. */
  count: number
  charged: ShownMoney
  returned: ShownMoney
  amount: ShownMoney
}

export type Fees = {
  fees: ({
    code: "payment" | "payout" | "refund" | (string & {})
    /** Like `1%`. */
    rule: string
    /** The Space has no rule of its own. */
    isStandard: boolean
  })[]
}

export type FinancialAccount = {
  /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `4571920384756103`. */
  uvan: string
  name: string
  /** Like `SLE`. */
  currency: string
  reference: string | null
  description: string | null
  balance?: {
    available: ShownMoney
    held: ShownMoney
  }
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
  metadata: Record<string, unknown>
}

export type FinancialTransaction = {
  /** Like `ftx-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  type: "credit" | "debit" | (string & {})
  amount: ShownMoney
  /** Like `2026-11-21T10:00:00.000Z`. */
  timestamp: string
  /** Like `20261121-101500123-7k2m9x`. */
  reference: string
  financialAccount: {
    /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id: string
    balance: {
      after: ShownMoney
    }
  }
  originatingReversal: {
    originTxnId?: string
    originTxnRef?: string
  } | null
  originatingFee: {
    code?: string
  } | null
  ownershipGraph: OwnershipGraph
  metadata: Record<string, unknown>
}

/** Money of an account that is reserved, for what `ownershipGraph` begins with: a payout, say. `amount` is what still is. */
export type Hold = {
  /** Like `hld-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  amount: ShownMoney
  /** A time, like `2026-11-21T08:00:00Z`. */
  expireTime: string | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  ownershipGraph: OwnershipGraph
}

export type InstallationHealth = {
  /** The newest first; those that are gone for a week. */
  nodes: ({
    /** Like `1284911`. */
    id: number
    /** The node that responds. */
    isThis: boolean
    /** Like `0.1.0`. */
    version: string
    /** Responds to requests. */
    serves: boolean
    /** Does everything in the background. */
    works: boolean
    /** By the lock that it holds while it runs; `lost`: its process ended without stopping in order. */
    status: "alive" | "stopped" | "lost" | (string & {})
    /** Like `2026-11-21T10:00:00.000Z`. */
    startTime: string
    /** A time, like `2026-11-21T08:00:00Z`. */
    stopTime: string | null
  })[]
  queues: {
    jobs: {
      /** How many there are, up to a limit. */
      count: number
      /** The count ended at its limit: there is at least so much. */
      estimated: boolean
      /** A time, like `2026-11-21T08:00:00Z`. */
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
      environment: "test" | "live" | (string & {})
      kind: "collect" | "disburse" | "refund" | (string & {})
      /** Like `m17`. */
      providerId: string
      /** How many there are, up to a limit. */
      count: number
      /** The count ended at its limit: there is at least so much. */
      estimated: boolean
    })[]
  }
  /** What was submitted and has no outcome yet, among the 500 oldest of each type. A provider that is missing has none among them. */
  unknownOutcomes: ({
    environment: "test" | "live" | (string & {})
    type: "payment" | "payout" | "refund" | (string & {})
    /** Like `m17`. */
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
  database: {
    /** Like `18.0`. */
    version: string
    /** Like `46`. */
    schemaVersion: number
    /** Like `53687091200`. */
    sizeBytes: number
    /** Of this database, of all programs. */
    connections: number
    /** The server’s own limit. */
    maxConnections: number
    isStandby: boolean
    /** Those that follow it, as far as the service may see them. */
    replicas: ({
      name: string
      state: string | null
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
    isOk: boolean
    /** Like `2026-11-21T10:00:00.000Z`. */
    startTime: string
    /** Like `2026-11-21T10:00:00.000Z`. */
    endTime: string
    checks: ({
      name: string
      /** How many rows, and of what. */
      examined: string
      /** Those that it named, at most 20. */
      differences: number
    })[]
  } | null)
}

export type InternalTransfer = {
  /** Like `trn-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  status: "pending" | "processing" | "completed" | "failed" | (string & {})
  amount: ShownMoney
  sourceFinancialAccount: {
    /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id: string
  }
  destinationFinancialAccount: {
    /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id: string
  }
  financialTransactionReference: string | null
  description: string | null
  failureDetail: {
    code: "fund_insufficient" | "cancelled" | "unknown" | (string & {})
    message: string
  } | null
  /** A time, like `2026-11-21T08:00:00Z`. */
  executeTime: string | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
  metadata: Record<string, unknown>
}

/** Its link is mailed, and shown to nobody else: it signs in whoever has it. */
export type Invitation = {
  /** Like `inv-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `ama@shop.example`. */
  email: string
  /** Like `developer`. */
  role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" | (string & {})
  status: "pending" | "accepted" | "expired" | "withdrawn" | (string & {})
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  expireTime: string
}

export type ListedRequest = {
  /** Like `req-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  timestamp: string
  /** Like `POST`. */
  method: string
  /** Like `/v1/payments/:id`. */
  route: string
  /** Without its query. Numbers of people are masked. */
  path: string
  /** Like `422`. */
  status: number
  /** Why it was refused; null where it was not. */
  reason: string | null
  caller: {
    type: "token" | "session" | (string & {})
    /** Of the access token, or of the session at the console. */
    id: string
  }
  /** Milliseconds from the request to its response. */
  durationMs: number
}

/** A request of the last seven days. */
export type LoggedRequest = {
  /** Like `req-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  timestamp: string
  /** Like `POST`. */
  method: string
  /** Like `/v1/payments/:id`. */
  route: string
  /** Without its query. Numbers of people are masked. */
  path: string
  /** Like `422`. */
  status: number
  /** Why it was refused; null where it was not. */
  reason: string | null
  caller: {
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
  /** Like `42`. */
  id: string
  /** Like `m17`. */
  providerId: string
  /** The environment of the connection, whatever that of the token. */
  environment: "test" | "live" | (string & {})
  /** Like `november.csv`. */
  fileName: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  from: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  until: string
  /** That its mapping does not leave out. */
  lines: number
  /** That no earlier statement had. */
  newLines: number
  /** The email address of an operator; null: a command. */
  importedBy: string | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Of its new lines, those for which the books have a line. */
  matchedLines: number
  /** Of its new lines, those that only the provider has, or differently. */
  openLines: number
  /** Only its first 10 000 new lines were counted. */
  estimated: boolean
}

export type Me = {
  user: {
    /** Like `usr-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id: string
    email: string
  }
  caller: {
    type: "token" | "session" | (string & {})
    id: string
  }
  environment: "test" | "live" | (string & {})
  /** What the caller may do in the installation; nothing, but for its operators. */
  installationPermissions: (string)[]
  freshUntil: string | null
  spaces: ({
    /** Like `spc-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id: string
    name: string
    country: string
    role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" | (string & {})
    permissions: (string)[]
  })[]
}

/** A user, and what they are in the Space, in both environments. */
export type Member = {
  /** Like `usr-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `ama@shop.example`. */
  email: string
  /** Like `developer`. */
  role: "owner" | "admin" | "developer" | "finance" | "support" | "viewer" | (string & {})
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
}

/** An amount in whole minor units: 1500 SLE is Le 15.00. */
export type Money = {
  /** Like `SLE`. */
  currency: string
  /** Like `1500`. */
  value: number
}

export type NewAccessToken = {
  /** Like `Website`. */
  name: string
  /** `*` is all that your role has. No more than you may do yourself. */
  scopes: ("access-tokens:read" | "access-tokens:write" | "members:read" | "members:write" | "audit:read" | "requests:read" | "webhooks:read" | "webhooks:write" | "webhooks:resend" | "events:read" | "events:write" | "financial-accounts:read" | "financial-accounts:write" | "financial-transactions:read" | "financial-transactions:write" | "balances:read" | "internal-transfers:read" | "internal-transfers:write" | "provider-kyc:read" | "provider-kyc:write" | "settlements:read" | "settlements:write" | "payments:read" | "payments:write" | "receipts:read" | "receipts:write" | "payouts:read" | "payouts:write" | "payouts:approve" | "refunds:read" | "refunds:write" | "refunds:propose" | "refunds:approve" | "checkout-sessions:read" | "checkout-sessions:write" | "receipts:send" | "payment-codes:read" | "payment-codes:write" | "ussd-otps:read" | "ussd-otps:write" | "settings:read" | "settings:write" | "*")[]
  /** Where it may be used from. Left out: from anywhere that your own token may. */
  networks?: (string)[] | null
  /** How long it works: a duration such as 30d or 12h, from 1h to 3650d, or `never` for one that does not expire. */
  duration?: string | null
}

export type NewCheckoutSession = {
  name: string
  description?: string | null
  /** An absolute http or https address without credentials. */
  successUrl?: string | null
  /** An absolute http or https address without credentials. */
  cancelUrl?: string | null
  callbackState?: string | null
  reference?: string | null
  /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  financialAccountId?: string | null
  lineItems: ({
    type?: "custom" | null
    name: string
    price: Money
    quantity?: number | null
    reference?: string | null
    description?: string | null
    images?: (string)[] | null
  })[]
  paymentOptions?: {
    card?: {
      disable?: boolean | null
    } | null
    bank?: {
      disable?: boolean | null
      enabledProviders?: (string)[] | null
      disabledProviders?: (string)[] | null
    } | null
    momo?: {
      disable?: boolean | null
      enabledProviders?: (string)[] | null
      disabledProviders?: (string)[] | null
    } | null
    wallet?: {
      disable?: boolean | null
      enabledProviders?: (string)[] | null
      disabledProviders?: (string)[] | null
    } | null
  } | null
  brandingOptions?: {
    primaryColor?: string | null
  } | null
  /** A duration such as 90s, 10m or 1h30m, from 5m to 7d. */
  duration?: string | null
  /** Any JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type NewPaymentCode = {
  name: string
  mode?: "one_time" | "recurrent" | null
  /** Whether dials are taken. */
  enable?: boolean | null
  /** In whole minor units; left out: the payer types it. */
  amount?: {
    /** Like `SLE`. */
    currency: string
    /** Like `1500`. */
    value: number
  } | null
  /** A duration such as 90s, 10m or 1h30m, from 1s to 30d. */
  duration?: string | null
  customer?: {
    name?: string | null
  } | null
  reference?: string | null
  /** Mobile money providers that may pay; left out: all. */
  authorizedProviders?: (string)[] | null
  /** The only phone that may pay. Without it every phone may. */
  authorizedPhoneNumber?: string | null
  /** Completes a recurrent code: whichever of count and total comes first. */
  recurrentPaymentTarget?: {
    expectedPaymentCount?: number | null
    expectedPaymentTotal?: (Money | null)
  } | null
  /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  financialAccountId?: string | null
  /** Any JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type NewUssdOtp = {
  /** Like `+23276123456`. */
  authorizedPhoneNumber: string
  verificationMessage?: string | null
  /** A duration such as 90s, 10m or 1h30m, from 30s to 1h. */
  duration?: string | null
  /** Any JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type NewWebhook = {
  name: string
  apiRelease?: "baobab" | null
  /** An absolute http or https address without credentials. */
  url: string
  /** Names of events, `payment.*` for all of a resource, or `*`. */
  events: ("*" | "webhook.*" | "financial_transaction.*" | "internal_transfer.*" | "settlement.*" | "payment.*" | "payout.*" | "payout_batch.*" | "recall.*" | "refund.*" | "checkout_session.*" | "payment_code.*" | "ussd_otp.*" | "ledger.*" | "webhook.disabled" | "financial_transaction.created" | "internal_transfer.created" | "internal_transfer.completed" | "internal_transfer.failed" | "settlement.created" | "settlement.reversed" | "payment.created" | "payment.processing" | "payment.completed" | "payment.failed" | "payout.created" | "payout.processing" | "payout.delayed" | "payout.completed" | "payout.failed" | "payout_batch.created" | "payout_batch.approved" | "payout_batch.rejected" | "payout_batch.cancelled" | "payout_batch.completed" | "recall.created" | "recall.returned" | "recall.refused" | "recall.cancelled" | "refund.created" | "refund.processing" | "refund.delayed" | "refund.completed" | "refund.failed" | "refund.cancelled" | "refund.returned" | "checkout_session.created" | "checkout_session.completed" | "checkout_session.cancelled" | "checkout_session.expired" | "payment_code.created" | "payment_code.processed" | "payment_code.completed" | "payment_code.expired" | "payment_code.cancelled" | "ussd_otp.created" | "ussd_otp.verified" | "ussd_otp.expired" | "ledger.chained")[]
  enabled?: boolean | null
  /** Sent with every delivery. */
  headers?: Record<string, string> | null
  /** Who gets a mail when we disable it. */
  alertEmails?: (string)[] | null
  verificationMethod?: {
    type?: "HS256" | "ED25519" | null
    /** whsec_ and base64 of 24 to 64 bytes, or 32 to 256 plain characters. Left out: one is made. */
    secret?: string | null
  } | null
  /** Any JSON object of at most 16 KiB. */
  metadata?: Record<string, unknown> | null
}

export type OpenItems = {
  /** These are all, not only the oldest 200. */
  isWhole: boolean
  items: ({
    /** What a person closes it by. */
    id: string
    /** `missing_here`: only the provider has it; `missing_there`: only we do; `awaited`: no statement covers its time yet. */
    state: "amount_differs" | "missing_here" | "missing_there" | "awaited" | (string & {})
    direction: "collection" | "disbursement" | (string & {})
    /** When it moved, or was booked. */
    time: string
    /** What the provider shows. */
    theirs: (ShownMoney | null)
    /** What the books show. */
    ours: (ShownMoney | null)
    /** The statement that has it. */
    fileName: string | null
    line: number | null
    /** As the provider has it. */
    reference: string | null
    /** What of a Space it is, or may be. */
    objectId: string | null
  })[]
}

export type OperatorsSpace = {
  /** Like `spc-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `Country Cloth Shop`. */
  name: string
  /** Like `SL`. */
  country: string
  /** Every call of a suspended Space is refused, and it takes no payments. */
  status: "active" | "suspended" | (string & {})
  suspension: {
    /** The email address of the operator. */
    by: string
    reason: string
    /** A time, like `2026-11-21T08:00:00Z`. */
    createTime: string
  } | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
}

export type Overview = {
  /** Like `2026-11-21`. */
  date: string
  /** False while what moved is still being summed: ask again in a moment. */
  isWhole: boolean
  /** One for each currency that something moved in. */
  today: (OverviewDay)[]
  /** How the newest payments of the last 24 hours ended, 2 000 at most. */
  providers: ({
    /** Like `m17`. */
    provider: string
    completed: number
    failed: number
    underWay: number
  })[]
  unknown: ({
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
  /** Like `SLE`. */
  currency: string
  collected: {
    amount: ShownMoney
    /** Payments. */
    count: number
  }
  paidOut: {
    amount: ShownMoney
    /** Payouts, less recalls. */
    count: number
  }
  refunded: {
    amount: ShownMoney
    /** Refunds. */
    count: number
  }
}

export type OverviewDays = {
  /** False while what moved is still being summed: ask again in a moment. */
  isWhole: boolean
  days: (OverviewDay)[]
}

/** An owner, with its metadata of the time and its own owner; the innermost is the Space. */
export type Owner = ({
  /** Like `cos-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** Like `checkout_session`. */
  type: string
  metadata: Record<string, unknown>
  owner: Owner
} | Record<string, unknown>)

export type OwnershipGraph = {
  owner: Owner
}

export type Passkey = {
  /** Like `pky-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  /** What its person calls it. */
  name: string
  /** Whether its authenticator keeps it on other devices, too. */
  isSynced: boolean
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  lastUseTime: string | null
}

/** As the browser’s own API takes them, in JSON. */
export type PasskeyOptions = {
  options: Record<string, unknown>
}

export type Passkeys = {
  passkeys: (Passkey)[]
}

export type PausedPlace = {
  /** Like `m17`. */
  connection: string
  /** The environment of the connection, whatever that of the token. */
  environment: "test" | "live" | (string & {})
  providerId: string | null
  directions: ("collect" | "pay_out" | (string & {}))[]
}

export type Payment = {
  /** Like `pay-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  status: "pending" | "processing" | "completed" | "failed" | (string & {})
  amount: ShownMoney
  channel: {
    type: "momo" | "bank" | "wallet" | "card" | (string & {})
    /** Like `m17`. */
    provider: string
    reference: string | null
    /** momo: masked. */
    phoneNumber?: string
    /** bank: masked. */
    accountNumber?: string
    /** wallet: masked. */
    walletId?: string
    scheme?: "visa" | "mastercard" | "verve" | null | (string & {})
    last4?: string | null
    fingerprint: string | null
    metadata: Record<string, unknown>
  }
  name: string
  reference: string | null
  /** Like `482915037264`. */
  orderNumber: string
  /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  financialAccountId: string
  financialTransactionReference: string | null
  fees: ({
    code: string
    amount: ShownMoney
    metadata: Record<string, unknown>
  })[]
  refund: {
    status: "none" | "partial" | "full" | (string & {})
    refunded: ShownMoney
    refundable: ShownMoney
  }
  failureDetail: {
    code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected" | (string & {})
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
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
  metadata: Record<string, unknown>
}

export type PaymentCode = {
  /** Like `pmc-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  mode: "one_time" | "recurrent" | (string & {})
  status: "pending" | "processing" | "completed" | "expired" | "cancelled" | (string & {})
  name: string
  amount: {
    /** Like `SLE`. */
    currency: string
    /** Like `1500`. */
    value: number | bigint
  } | null
  enable: boolean
  /** Like `2026-11-21T10:00:00.000Z`. */
  expireTime: string
  customer: {
    name: string
  } | null
  /** What the payer dials. */
  ussdCode: string
  reference: string | null
  authorizedProviders: (string)[] | null
  authorizedPhoneNumber: string | null
  recurrentPaymentTarget: {
    expectedPaymentCount: number | null
    expectedPaymentTotal: {
      /** Like `SLE`. */
      currency: string
      /** Like `1500`. */
      value: number | bigint
    } | null
  } | null
  /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  financialAccountId: string
  processedPaymentData: {
    amount: ShownMoney
    /** Like `ord-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    orderId: string
    /** Like `pay-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    paymentId: string
    orderNumber: string
    channelData: {
      providerId: string
      accountId: string
      reference: string | null
    }
    financialTransactionReference: string
    metadata: Record<string, unknown>
  } | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
  metadata: Record<string, unknown>
}

export type Payout = {
  /** Like `pyt-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  status: "pending" | "processing" | "completed" | "failed" | (string & {})
  amount: ShownMoney
  source: {
    /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    financialAccountId: string
    transactionReference: string | null
  }
  destination: {
    type: "bank" | "momo" | "wallet" | (string & {})
    /** Like `m17`. */
    providerId: string
    /** momo */
    phoneNumber?: string
    /** bank */
    accountNumber?: string
    /** wallet */
    walletId?: string
    transactionReference: string | null
  }
  fees: ({
    code: string
    amount: ShownMoney
    metadata: Record<string, unknown>
  })[]
  failureDetail: {
    code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected" | (string & {})
    message: string
  } | null
  /** Whether another user has to approve, and who decided when; null where nobody has to. */
  approval: {
    status?: "required" | "approved" | "rejected" | (string & {})
    userId?: string | null
    /** A time, like `2026-11-21T08:00:00Z`. */
    time?: string | null
  } | null
  /** The batch that it is of; null where it was created alone. */
  batchId: string | null
  /** Like `usr-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  createUserId: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
  metadata: Record<string, unknown>
}

/** `counts` are those of its payouts by their status, and of its rows, which have no payouts before it is approved; `totals` are in each of its currencies. */
export type PayoutBatch = {
  /** Like `pyb-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  status: "pending" | "processing" | "completed" | "rejected" | "cancelled" | (string & {})
  name: string
  source: {
    financialAccountId: string | null
  }
  counts: {
    rows: number
    pending: number
    processing: number
    completed: number
    failed: number
  }
  totals: ({
    amount: ShownMoney
    completed: ShownMoney
    failed: ShownMoney
  })[]
  /** Whether another user has to approve, and who decided when; null where nobody has to. */
  approval: {
    status?: "required" | "approved" | "rejected" | (string & {})
    userId?: string | null
    /** A time, like `2026-11-21T08:00:00Z`. */
    time?: string | null
  } | null
  /** Like `usr-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  createUserId: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
}

export type PayoutBatchRow = {
  /** Which row of the batch it is, from 1. */
  number: number
  amount: ShownMoney
  destination: {
    type: "bank" | "momo" | "wallet" | (string & {})
    /** Like `m17`. */
    providerId: string
    /** momo */
    phoneNumber?: string
    /** bank */
    accountNumber?: string
    /** wallet */
    walletId?: string
  }
  name: string | null
  reference: string | null
  /** What it has become; null before the batch is approved. */
  payout: {
    /** Like `pyt-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id?: string
    status?: string
  } | null
  metadata: Record<string, unknown>
}

export type PhoneNumber = {
  /** Like `+23277123456`. */
  phoneNumber: string
  country: string | null
  /** The network that gave the number out; null where we do not know. */
  network: string | null
  /** Whether numbers cannot leave their network there. A payout to a provider of another network is then refused. */
  certain: boolean
  /** The mobile-money providers whose account it probably is, of those that can be used in the environment of the token. */
  providers: ({
    /** Like `m18`. */
    providerId: string
    /** Like `Afrimoney`. */
    name: string
  })[]
}

export type Provider = {
  /** Like `m17`. */
  providerId: string
  /** Like `Orange Money`. */
  name: string
  /** Like `SL`. */
  country: string
  status: {
    /** Whether it can be used in the environment of the token. */
    active: boolean
  }
  featureSet: {
    payout: {
      canPayTo: boolean
      schemes: (string)[]
      metadata: Record<string, unknown>
    }
    payment: {
      canPayFrom: boolean
      schemes: (string)[]
      metadata: Record<string, unknown>
    }
    kycVerification: {
      canVerifyAccount: boolean
      metadata: Record<string, unknown>
    }
  }
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
}

export type ProviderKyc = {
  account: {
    /** As payouts take it: a phone number in E.164. */
    id: string
    /** Like `Aminata Kamara`. */
    name: string
    /** Like `Aminata Kamara`. */
    holderName: string
    metadata: Record<string, unknown>
  }
  provider: {
    /** Like `m17`. */
    id: string
    type: "momo" | "bank" | "wallet" | "card" | (string & {})
    /** Like `Orange Money`. */
    name: string
  }
}

export type ProviderStatement = {
  /** Like `42`. */
  id: string
  /** Like `m17`. */
  providerId: string
  /** The environment of the connection, whatever that of the token. */
  environment: "test" | "live" | (string & {})
  /** Like `november.csv`. */
  fileName: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  from: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  until: string
  /** That its mapping does not leave out. */
  lines: number
  /** That no earlier statement had. */
  newLines: number
  /** The email address of an operator; null: a command. */
  importedBy: string | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
}

export type Recall = {
  /** Like `rcl-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  status: "open" | "returned" | "refused" | "cancelled" | (string & {})
  /** Like `pyt-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  payoutId: string
  amount: ShownMoney
  returned: ShownMoney
  reason: "wrong_payee" | "wrong_amount" | "duplicate" | "fraudulent" | "other" | (string & {})
  note: string | null
  source: {
    /** Like `m17`. */
    providerId: string
    transactionReference: string | null
  }
  destination: {
    /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    financialAccountId: string
    transactionReference: string | null
  }
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
  metadata: Record<string, unknown>
}

export type Receipt = {
  status: "not_redeemed" | "partially_redeemed" | "fully_redeemed" | (string & {})
  orderName: string
  /** Like `482915037264`. */
  orderNumber: string
  orderAmount: ShownMoney
  entitlements: ({
    /** The reference of the line item, or its id. */
    key: string
    name: string
    /** Units that were paid for. */
    limit: number
    /** Units redeemed so far. */
    current: number
    remaining: number
    exhausted: boolean
  })[]
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
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
    /** Like `m17`. */
    provider: string
    /** `collection`: what came in; `disbursement`: what went out. An amount below zero went the other way, as what is settled with a bank. */
    direction: "collection" | "disbursement" | (string & {})
    /** Lines that were booked. */
    count: number
    amount: ShownMoney
    open: {
      /** Of these, those that no statement shows and nobody has explained. */
      count: number
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
  /** Like `m17`. */
  provider: string
  /** `collection`: what came in; `disbursement`: what went out. An amount below zero went the other way, as what is settled with a bank. */
  direction: "collection" | "disbursement" | (string & {})
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
  /** Like `rfd-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  status: "pending" | "processing" | "completed" | "failed" | "cancelled" | (string & {})
  /** Why a pending refund has not left; null where it is about to, and of all others. */
  pendingReason: "approval" | "insufficient_balance" | "provider_unavailable" | null | (string & {})
  /** Like `pay-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  paymentId: string
  /** Like `482915037264`. */
  orderNumber: string
  amount: ShownMoney
  fees: ({
    code: string
    amount: ShownMoney
    metadata: Record<string, unknown>
  })[]
  bearer: "merchant" | "payer" | (string & {})
  source: {
    /** Like `fac-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    financialAccountId: string
    transactionReference: string | null
  }
  destination: {
    type: "momo" | "bank" | "wallet" | "card" | (string & {})
    /** Like `m17`. */
    providerId: string
    /** momo: masked. */
    phoneNumber?: string
    /** bank: masked. */
    accountNumber?: string
    /** wallet: masked. */
    walletId?: string
    scheme?: "visa" | "mastercard" | "verve" | null | (string & {})
    last4?: string | null
    transactionReference: string | null
  }
  method: "provider_refund" | "payout" | (string & {})
  reason: "requested_by_customer" | "duplicate" | "fraudulent" | "wrong_amount" | "order_cancelled" | "late_payment" | "other" | (string & {})
  note: string | null
  payerMessage: string | null
  failureDetail: {
    code: "unknown" | "fund_insufficient" | "authorization_failed" | "provider_unknown" | "provider_unavailable" | "provider_account_blocked" | "provider_account_missing" | "provider_account_quota_exhausted" | "cancelled" | "rejected" | (string & {})
    message: string
  } | null
  /** Whether another user has to approve, and who decided when; null where nobody has to. */
  approval: {
    status?: "required" | "approved" | "rejected" | (string & {})
    userId?: string | null
    /** A time, like `2026-11-21T08:00:00Z`. */
    time?: string | null
  } | null
  /** The user who created it; null where the operator gave the money back. */
  createUserId: string | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  completeTime: string | null
  ownershipGraph: OwnershipGraph
  metadata: Record<string, unknown>
}

export type ReopenedDay = {
  providerId: string
  /** The environment of the connection, whatever that of the token. */
  environment: "test" | "live" | (string & {})
  /** A day in the country of the provider. */
  day: string
  /** A time, like `2026-11-21T08:00:00Z`. */
  reopenTime: string | null
}

export type Sessions = {
  sessions: ({
    /** Like `ses-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
    id: string
    /** The session that calls. */
    isCurrent: boolean
    /** How this person signed in. */
    method: "link" | "passkey" | "oidc" | (string & {})
    /** Like `192.0.2.7`. */
    address: string
    /** What the browser calls itself, cut to 200 characters. */
    agent: string
    /** Like `2026-11-21T10:00:00.000Z`. */
    createTime: string
    /** Like `2026-11-21T10:00:00.000Z`. */
    lastUseTime: string
    /** Like `2026-11-21T10:00:00.000Z`. */
    expireTime: string
  })[]
}

export type Settings = {
  /** Like `spc-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  spaceId: string
  /** Like `Country Cloth Shop`. */
  name: string
  /** Like `SL`. */
  country: string
  /** Where its days and months begin. */
  timeZone: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  brand: {
    name: string | null
    color: string | null
    supportEmail: string | null
    supportPhone: string | null
    termsUrl: string | null
  }
  /** Where the logo of the brand is; another one has another address. */
  logoUrl: string | null
  /** Above so many minor units another member has to approve a payout, by currency; in a currency that is not here nobody has to. */
  payoutApprovalAbove: (ApprovalAbove)[]
  /** Above so many minor units another member has to approve a refund, by currency; in a currency that is not here nobody has to. */
  refundApprovalAbove: (ApprovalAbove)[]
  /** What becomes of a refund that there is too little money for. */
  refundsWhenShort: "refuse" | "queue" | (string & {})
  /** Whether the fee of a payment goes back to the Space with its refunds. */
  returnsPaymentFee: boolean
  /** What the Space pays for each; the operator sets it. */
  fees: ({
    code: "payment" | "payout" | "refund" | (string & {})
    /** Like `1%`. */
    rule: string
    /** The Space has no rule of its own. */
    isStandard: boolean
  })[]
}

export type SettingsChange = {
  brand?: {
    /** As payers read it, in place of the Space’s own. */
    name?: string | null
    /** Like `#0f6b4f`. */
    color?: string | null
    /** A PNG of at most 64 KiB and 1024 × 1024 pixels, as a `data:` address. */
    logo?: string | null
    /** Like `help@shop.example`. */
    supportEmail?: string | null
    /** Like `+23276123456`. */
    supportPhone?: string | null
    /** An absolute http or https address without credentials. */
    termsUrl?: string | null
  }
  /** Above so many minor units another member has to approve a payout, by currency; in a currency that is not here nobody has to. */
  payoutApprovalAbove?: (ApprovalAbove)[]
  /** Above so many minor units another member has to approve a refund, by currency; in a currency that is not here nobody has to. */
  refundApprovalAbove?: (ApprovalAbove)[]
  /** What becomes of a refund that there is too little money for. */
  refundsWhenShort?: "refuse" | "queue"
  /** Whether the fee of a payment goes back to the Space with its refunds. */
  returnsPaymentFee?: boolean
  /** Why, for the audit entry. */
  reason?: string
}

export type Settlement = {
  /** Like `stl-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  status: "booked" | "reversed" | (string & {})
  kind: "payout_to_bank" | "float_top_up" | (string & {})
  /** Like `m17`. */
  providerId: string
  direction: "collection" | "disbursement" | (string & {})
  amount: ShownMoney
  /** Like `FT26325-0042`. */
  bankReference: string
  /** Like `2026-11-20`. */
  valueDate: string
  note: string | null
  isAdvance: boolean
  /** The id of a user, or who ran the command, in their own words. */
  createdBy: string
  financialTransactionReference: string
  reversal: {
    by?: string
    reason?: string
    financialTransactionReference?: string
    /** A time, like `2026-11-21T08:00:00Z`. */
    createTime?: string
  } | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
}

/** `expectedBefore` and `collected`, less `refunded`, `paidOut` and `settled`, with `other`, are `expected`: what the provider holds by the books. `fees`: what was charged for these movements, which is not taken at the provider. */
export type SettlementReportRow = {
  /** The first day of its time, in the time zone of the Space’s country. */
  date: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  from: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  to: string
  /** Whether it stays as it is: nothing can be booked into its time any more. */
  final: boolean
  /** Like `m17`. */
  provider: string
  direction: "collection" | "disbursement" | (string & {})
  /** Movements at the provider. */
  count: number
  expectedBefore: ShownMoney
  collected: ShownMoney
  refunded: ShownMoney
  paidOut: ShownMoney
  settled: ShownMoney
  other: ShownMoney
  expected: ShownMoney
  fees: ShownMoney
}

/** In whole minor units, exact whatever its size: a sum can be more than 9007199254740991, the largest integer that every double holds. */
export type ShownMoney = {
  /** Like `SLE`. */
  currency: string
  /** Like `1500`. */
  value: number | bigint
}

export type SignIn = {
  /** Like `sia-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  method: "link" | "passkey" | "totp" | "recovery_code" | "oidc" | (string & {})
  /** By somebody who was signed in, to show again who they are. */
  isStepUp: boolean
  /** `locked`: not even looked at, after too many that failed. */
  result: "succeeded" | "failed" | "locked" | (string & {})
  /** Like `192.0.2.7`. */
  address: string
  /** What the browser calls itself, cut to 200 characters. */
  agent: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
}

export type SignIns = {
  signIns: (SignIn)[]
}

export type SignedIn = {
  /** Like `usr-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  userId: string
  /** Nobody is signed in yet: `POST /v1/sign-in/code` with a code of their authenticator app does it, within ten minutes. */
  isCodeNeeded: boolean
}

export type Status = {
  /** Like `Pesewa`. */
  platform: string
  tagline: string
  status: {
    environment: "test" | "live" | null | (string & {})
    isAuthenticated: boolean
  }
  /** null without a valid token. */
  apiVersion: {
    /** Like `baobab.2026-11-21`. */
    id: string
    release: {
      name: string
      date: string
    }
    deprecated: boolean
    apiSchemas: {
      openApi: string
    }
  } | null
  requestOrigin: {
    /** ZZ where it is not known. */
    country: string
    ipAddress: string
  }
}

export type Successes = {
  /** Like `97`. */
  succeeded: number
  /** Like `3`. */
  failed: number
  /** Of those that ended, in percent with one decimal; null where none did. */
  percent: number | null
}

export type TestClock = {
  /** Like `2026-11-21T10:00:00.000Z`. */
  now: string
  /** How far ahead of real time, in milliseconds. */
  offsetMs: number
}

export type Totp = {
  /** Whether a link by mail asks for a code, too. */
  isEnabled: boolean
  enableTime: string | null
  /** Recovery codes that are left. */
  recoveryCodeCount: number
  /** Until when no code is accepted, after too many wrong ones. */
  lockedUntilTime: string | null
}

export type TotpSecret = {
  /** In base32, to be typed. */
  secret: string
  /** The same for a QR code. */
  uri: string
}

export type UssdOtp = {
  /** Like `otp-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  status: "pending" | "verified" | "expired" | (string & {})
  /** Show this to who is to dial it. */
  dialCode: string
  /** Like `+23276123456`. */
  authorizedPhoneNumber: string
  verificationMessage: string | null
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  expireTime: string
  metadata: Record<string, unknown>
}

export type Webhook = {
  /** Like `whk-01kaj3v5w8e4r9tbn2m6c7d0xz`. */
  id: string
  name: string
  /** Like `baobab`. */
  apiRelease: string
  url: string
  events: (string)[]
  enabled: boolean
  /** Values are `****` for callers without `webhooks:write`, and in events. */
  headers: Record<string, string>
  alertEmails: (string)[]
  verificationMethod: {
    type: "HS256" | "ED25519" | (string & {})
    /** Shown when it is made, and never again. */
    secret?: string
    /** whpk_…, of ED25519. */
    publicKey?: string
  }
  /** Like `2026-11-21T10:00:00.000Z`. */
  createTime: string
  /** Like `2026-11-21T10:00:00.000Z`. */
  updateTime: string
  ownershipGraph: OwnershipGraph
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
  | EventOf<'payment_code.created', PaymentCode>
  | EventOf<'payment_code.processed', PaymentCode>
  | EventOf<'payment_code.completed', PaymentCode>
  | EventOf<'payment_code.expired', PaymentCode>
  | EventOf<'payment_code.cancelled', PaymentCode>
  | EventOf<'ussd_otp.created', UssdOtp>
  | EventOf<'ussd_otp.verified', UssdOtp>
  | EventOf<'ussd_otp.expired', UssdOtp>
  | EventOf<'ledger.chained', Record<string, unknown>>
