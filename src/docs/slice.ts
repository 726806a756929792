export const slice = {
  name: 'docs',
  routes: async () => {
    const { openLibrary } = await import('./library.ts')
    return (await import('./routes.ts')).docsRoutes(openLibrary())
  },
}
