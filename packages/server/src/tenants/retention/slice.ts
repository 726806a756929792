import { settings } from './settings.ts'

export const slice = {
  folder: 'tenants/retention',
  tables: ['retention_periods', 'legal_holds'],
  settings,
}
