import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    events: 'Events',
    type: 'Type',
    object: 'Object',
    time: 'Time',
    sequence: 'Sequence number',
    search: 'Event or object ID',
    from: 'From',
    to: 'To',
    id: 'ID',
    data: 'Payload',
    catalogue: 'All event types',
  },
  {
    events: 'Événements',
    type: 'Type',
    object: 'Objet',
    time: 'Date',
    sequence: 'Numéro de séquence',
    search: 'Identifiant d’événement ou d’objet',
    from: 'Du',
    to: 'Au',
    id: 'Identifiant',
    data: 'Contenu',
    catalogue: 'Tous les types d’événements',
  },
)
