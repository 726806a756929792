import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    sequence: 'Sequence number',
    search: 'Event or object ID',
    data: 'Payload',
  },
  {
    sequence: 'Numéro de séquence',
    search: 'Identifiant d’événement ou d’objet',
    data: 'Contenu',
  },
)
