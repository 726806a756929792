export const slice = {
  folder: 'countries',
  tags: {
    countries: 'Supported countries and their currencies.',
  },
  routes: async () => (await import('./routes.ts')).countryRoutes,
}
