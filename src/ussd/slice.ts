import { readAndWrite } from '../spaces/permissions.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'
import type { DialogueParts } from './step.ts'

export const slice = {
  name: 'ussd',
  settings,
  resources,
  permissions: readAndWrite('ussd-otps'),
  async routes(parts: DialogueParts) {
    const { otpRoutes } = await import('./routes.ts')
    const { gatewayRoutes } = await import('./gateway.ts')
    return [...otpRoutes(parts), ...gatewayRoutes(parts)]
  },
  jobs: async (parts: DialogueParts) => (await import('./jobs.ts')).ussdJobs(parts),
  calendar: { '37 * * * *': 'ussd-sessions.forget' },
}
