import { api } from '../../api/client.ts'
import { useRead, useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import type { PagePath } from '../../parts/addresses.ts'

export type StepName = 'provider' | 'brand' | 'security' | 'payment' | 'team' | 'limits' | 'token' | 'webhook'

/** `to` is missing if the user may not open the page, or cannot take the step yet. */
export type Step = { name: StepName; isRequired: boolean; isDone: boolean; to: PagePath | undefined }

/**
 * Reads which steps to the first real payment are done in the current environment, the required ones first.
 * Without a provider, no payment is possible at all.
 */
export function useSteps(enabled = true): { steps?: Step[]; error: Error | null } {
  const may = usePermissions()
  const one = [{ limit: 1 }] as const
  const always = { enabled }
  const allowed = (permission: string) => ({ enabled: enabled && may(permission) })
  const settings = useRead(api.settings.retrieve, [], always)
  const passkeys = useRead(api.passkeys.retrieve, [], always)
  const totp = useRead(api.totp.retrieve, [], always)
  const momos = useRows(api.momos.list, [{}], always)
  const banks = useRows(api.banks.list, [{}], always)
  const members = useRows(api.members.list, [{ limit: 2 }], allowed('members:read'))
  const tokens = useRows(api.accessTokens.list, [...one], allowed('access-tokens:read'))
  const webhooks = useRows(api.webhooks.list, [...one], allowed('webhooks:read'))
  const payments = useRows(api.payments.list, [{ limit: 1, status: 'completed' }], always)
  const reads = [settings, passkeys, totp]
  const lists = [momos, banks, members, tokens, webhooks, payments]
  const error = [...reads, ...lists].find((each) => each.error)?.error ?? null
  if (!settings.data || !passkeys.data || !totp.data || lists.some(({ isLoading }) => isLoading))
    return { error }
  const { brand, payoutApprovalAbove, refundApprovalAbove } = settings.data
  const step = (isRequired: boolean, name: StepName, isDone: boolean, to: PagePath, permission?: string) => ({
    ...{ name, isRequired, isDone },
    to: !permission || may(permission) ? to : undefined,
  })
  const isConnected = [...momos.rows, ...banks.rows].some(({ status }) => status.active)
  const isKnown = brand.supportEmail !== null || brand.supportPhone !== null
  const isLimited = payoutApprovalAbove.length + refundApprovalAbove.length > 0
  const isProtected = passkeys.data.passkeys.length > 0 || totp.data.isEnabled
  const payment = step(true, 'payment', payments.rows.length > 0, '/payment-links/new', 'payment-links:write')
  return {
    error,
    steps: [
      step(true, 'provider', isConnected, '/installation/providers', 'installation:read'),
      step(true, 'security', isProtected, '/security'),
      step(true, 'brand', isKnown, '/settings', 'settings:write'),
      isConnected ? payment : { ...payment, to: undefined },
      step(false, 'team', members.rows.length > 1, '/team', 'members:write'),
      step(false, 'limits', isLimited, '/settings', 'settings:write'),
      step(false, 'token', tokens.rows.length > 0, '/access-tokens', 'access-tokens:write'),
      step(false, 'webhook', webhooks.rows.length > 0, '/webhooks', 'webhooks:write'),
    ],
  }
}
