export const slice = {
  name: 'countries',
  routes: async () => (await import('./routes.ts')).countryRoutes,
}
