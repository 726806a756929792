export const slice = {
  name: 'countries',
  tags: {
    countries: 'Supported countries and their currencies.',
  },
  routes: async () => (await import('./routes.ts')).countryRoutes,
}
