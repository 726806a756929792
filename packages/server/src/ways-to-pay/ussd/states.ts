/** Statuses of a one-time password. */
export const statuses = ['pending', 'verified', 'expired'] as const
export type OtpStatus = (typeof statuses)[number]
export type EndedOtpStatus = Exclude<OtpStatus, 'pending'>

/** Allowed state transitions of an OTP. `end` refuses all others. */
export const next: Readonly<Record<OtpStatus, readonly EndedOtpStatus[]>> = {
  pending: ['verified', 'expired'],
  verified: [],
  expired: [],
}
