import { inLanguages } from './texts.ts'

/** Names of the roles in a Space. */
export const roles = inLanguages<Record<string, string>>(
  {
    owner: 'Owner',
    admin: 'Admin',
    developer: 'Developer',
    finance: 'Finance',
    support: 'Support',
    viewer: 'Viewer',
  },
  {
    owner: 'Propriétaire',
    admin: 'Administrateur',
    developer: 'Développeur',
    finance: 'Finances',
    support: 'Assistance',
    viewer: 'Lecteur',
  },
)
