/** The roles of the people in the demo shop. */
export const demoRoles = ['owner', 'finance', 'support'] as const
export type DemoRole = (typeof demoRoles)[number]

/** Their email addresses, which cannot receive mail. The owner is also the operator. */
export const demoEmails: Record<DemoRole, string> = {
  owner: 'demo@pesewa.example',
  finance: 'finance@pesewa.example',
  support: 'support@pesewa.example',
}
