export const slice = {
  name: 'countries',
  tags: {
    countries: 'Countries with their currencies: where shops and payers can be.',
  },
  routes: async () => (await import('./routes.ts')).countryRoutes,
}
