export const slice = {
  name: 'console',
  routes: async () => (await import('./routes.ts')).consoleRoutes(),
}
