import Type from 'typebox'
import { createTime, object, ownId, shownText } from '../../platform/http/shapes/shapes.ts'
import { roleNames } from '../spaces/permissions.ts'
import { userIds } from '../spaces/resources.ts'

export const role = Type.Enum([...roleNames], {
  description:
    'Role of the member. `owner`, `admin`: all permissions, but only owners can manage owners; `developer`: integrations; `finance`: money; `support`: look-ups; `viewer`: read-only access.',
  examples: ['developer'],
})

export const member = object(
  {
    id: ownId(userIds),
    email: shownText('Email address with which the member signs in.', 'ama@shop.example'),
    role,
    createTime,
  },
  { title: 'Member', description: 'A user and their role in the Space, in both environments.' },
)
