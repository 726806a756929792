export const slice = {
  folder: 'operations/console',
  routes: async () => (await import('./routes.ts')).consoleRoutes(),
}
