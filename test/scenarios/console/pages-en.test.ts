import { testPages } from './pages.ts'

await testPages('en')
