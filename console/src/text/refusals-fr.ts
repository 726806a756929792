/**
 * What the API says of what it refuses, in French. `{}` stands for whatever it names there. test/tidy/refusals.test.ts finds sentences of the
 * routes that are missing here.
 */
const sentences: Record<string, string> = {
  // Reasons.
  'Some arguments are invalid; see details.': 'Certaines valeurs ne sont pas valables.',
  'Sign-in failed: the link, code or passkey is invalid, already used or expired.':
    'La connexion a échoué : le lien, le code ou la clé d’accès n’est pas valable, a déjà servi ou a expiré.',
  'You do not have permission to do this in this Space.':
    'Vous n’avez pas l’autorisation d’effectuer cette action dans ce Space.',
  'You do not have permission to do this in this Space. It requires {}.':
    'Vous n’avez pas l’autorisation d’effectuer cette action dans ce Space. Elle exige le droit {}.',
  'You do not have permission to do this in this Space. It requires {}. With refunds:propose you can propose it for another member to approve.':
    'Vous n’avez pas l’autorisation d’effectuer cette action dans ce Space. Elle exige le droit {}. Avec refunds:propose, vous pouvez la soumettre à l’approbation d’un autre membre.',
  'This requires a recent sign-in. Sign in again to continue.':
    'Cette action exige une connexion récente. Reconnectez-vous pour continuer.',
  'The access token is not valid.': 'Le jeton d’accès n’est pas valable.',
  'The access token has expired.': 'Le jeton d’accès a expiré.',
  'No such object exists in this Space and environment.':
    'Cet objet n’existe pas dans ce Space et cet environnement.',
  'This URL does not exist.': 'Cette adresse n’existe pas.',
  'The request did not arrive in time.': 'La requête n’est pas arrivée à temps.',
  'The cursor is not valid for this query. Start again without `after`.':
    'La liste a changé : rechargez la page.',
  'This Idempotency-Key was already used for a different request.':
    'Cette clé d’idempotence a déjà servi pour une autre requête : rechargez la page.',
  'A request with this Idempotency-Key is still in progress.': 'Une requête identique est encore en cours.',
  'The object’s current state does not allow this.': 'L’état actuel de l’objet ne le permet pas.',
  'The account’s available balance does not cover the amount and the fee.':
    'Le solde disponible du compte ne couvre pas le montant et les frais.',
  'The account has less than the amount and its fee available.':
    'Le solde disponible du compte ne couvre pas le montant et les frais.',
  'The amount exceeds what can still be refunded.': 'Le montant dépasse ce qui peut encore être remboursé.',
  'This payment has reached the maximum number of refunds.':
    'Ce paiement a atteint le nombre maximal de remboursements.',
  'This payment is too old to be refunded.': 'Ce paiement est trop ancien pour être remboursé.',
  'The provider of this payment supports neither refunds nor payouts to the payer.':
    'L’opérateur de ce paiement ne permet ni remboursement ni versement au payeur.',
  'The amount exceeds what can still be recalled.': 'Le montant dépasse ce qui peut encore être rappelé.',
  'Another object already uses this reference.': 'Un autre objet utilise déjà cette référence.',
  'The body is larger than 256 KiB.': 'C’est trop volumineux : 256 Kio au plus.',
  'The body is larger than {} KiB.': 'C’est trop volumineux : {} Kio au plus.',
  'Too many requests. Wait a moment and try again.':
    'Trop de requêtes. Patientez un instant, puis réessayez.',
  'Something went wrong on our side. It is safe to retry with the same idempotency key.':
    'Une erreur s’est produite chez nous. Vous pouvez réessayer sans risque.',
  'The service is temporarily unavailable. It is safe to retry with the same idempotency key.':
    'Le service est momentanément indisponible. Vous pouvez réessayer sans risque.',

  // What shapes say of a value.
  'is required': 'est obligatoire',
  'is not recognized': 'n’est pas reconnu',
  'is not valid': 'n’est pas valable',
  'must not be empty': 'ne doit pas être vide',
  'must be true or false': 'doit être vrai ou faux',
  'must be of type {}': 'doit être de type {}',
  'must be one of {}': 'doit être l’une de ces valeurs : {}',
  'must be at least {} characters': 'doit comporter au moins {} caractères',
  'must be at most {} characters': 'doit comporter au plus {} caractères',
  'must have at least {} entries': 'doit avoir au moins {} éléments',
  'must have at most {} entries': 'doit avoir au plus {} éléments',
  'must have at least {} keys': 'doit avoir au moins {} clés',
  'must have at most {} keys': 'doit avoir au plus {} clés',
  'must be at least {}': 'doit être au moins {}',
  'must be at most {}': 'doit être au plus {}',
  'must be a timestamp such as 2026-11-21T08:00:00Z, without leap seconds': 'doit être une date et une heure',
  'must contain a visible character': 'doit contenir un caractère visible',
  'must match the pattern {}': 'n’a pas le bon format',
  'must not contain NUL or unpaired surrogates':
    'contient des caractères qui ne peuvent pas être enregistrés',
  'cannot be represented exactly; send it as a string': 'est un nombre trop grand',
  'must not be nested deeper than {} levels': 'a plus de {} niveaux',
  'is given more than once': 'est donné plusieurs fois',

  // Money and accounts.
  'is not a supported currency': 'n’est pas une devise prise en charge',
  'is there twice': 'y figure deux fois',
  'names no financial account here': 'n’est pas un compte d’ici',
  'names no financial account of the Space and environment of this case':
    'n’est pas un compte du Space de ce dossier',
  'is an account in {}, not {}': 'est un compte en {}, pas en {}',
  'is the source account': 'est le compte de départ',
  'is in {}; the case is in {}': 'est en {} ; le dossier est en {}',
  'is taken by another account': 'est déjà prise par un autre compte',
  'must be {}, as before': 'doit être {}, comme avant',
  'must be {}, as in the first item': 'doit être {}, comme pour le premier article',
  'must be {}, as it was paid': 'doit être {}, la devise du paiement',
  'must be {}, as it was paid out': 'doit être {}, la devise du versement',
  "must be {}, as the code's other amounts and its account":
    'doit être {}, comme les autres montants du code et son compte',
  'must be in {}': 'doit être en {}',
  'must be from 1 to {}, what is recalled': 'doit être entre 1 et {}, ce qui est rappelé',
  'must be more than the fee of {}, which the payer bears':
    'doit dépasser les frais de {}, à la charge du payeur',
  'must not sum to more than {}': 'ne doivent pas dépasser {} au total',
  'comes to more than {} minor units of {}': 'dépasse {} unités mineures de {}',
  'is more than the {} that it owes': 'dépasse les {} dus',
  'An account would hold more than can be counted.': 'Un compte aurait plus que ce qui peut être compté.',
  'The account has less available than the amount of the case.':
    'Le compte dispose de moins que le montant du dossier.',
  'There is too little money for all of these payouts.':
    'Il n’y a pas assez d’argent pour tous ces versements.',

  // Times.
  'must be in the future': 'doit être dans l’avenir',
  'must be within 366 days': 'doit être dans les 366 jours',
  'must be yet to come, and within a year': 'doit être à venir, dans l’année',
  'must be later than from': 'doit être après le début',
  'must be later than since': 'doit être après le début',
  'must be after from': 'doit être après le début',
  'must not be after to': 'ne doit pas être après la fin',
  'must not be before {}': 'ne doit pas être avant le {}',
  'must be at most {} days after from': 'doit être au plus {} jours après le début',
  'is yet to come': 'est à venir',
  'leaves more than {} days: narrow the range': 'laisse plus de {} jours : réduisez la période',
  'leaves more than {} lines: narrow the range, or read it as text/csv':
    'laisse plus de {} lignes : réduisez la période, ou téléchargez le CSV',

  // Phones, providers, payees.
  'is not a phone number': 'n’est pas un numéro de téléphone',
  'is not a phone number of the provider’s country': 'n’est pas un numéro du pays de l’opérateur',
  'is not an account number of 6 to 20 digits and letters':
    'n’est pas un numéro de compte de 6 à 20 chiffres et lettres',
  'is not a wallet id of 3 to 64 characters': 'n’est pas un identifiant de portefeuille de 3 à 64 caractères',
  'is a number of {}, not of {}: GET /v1/phone-numbers/{} names its providers': 'est un numéro {}, pas {}',
  'names no provider': 'n’est pas un opérateur',
  'is no provider of the catalogue': 'n’est pas un opérateur du catalogue',
  'is not a provider': 'n’est pas un opérateur',
  'is not a momo provider': 'n’est pas un opérateur de mobile money',
  'is not a {} provider': 'n’est pas un opérateur de type {}',
  'is not available now': 'n’est pas disponible en ce moment',
  'is not taken by {}: it takes {}': 'n’est pas acceptée par {}, qui accepte {}',
  'is not a field of a {} destination': 'ne fait pas partie d’un compte de type {}',
  'does not take {}': 'n’accepte pas {}',
  'cannot be paid to': 'ne peut pas recevoir de versements',
  'is not a supported country': 'n’est pas un pays pris en charge',
  'leaves no way to pay': 'ne laisse aucun moyen de payer',

  // Forms.
  'is named twice': 'est nommé deux fois',
  'must be named once': 'doit être nommé une seule fois',
  'must be unique in the session': 'doit être unique sur la page',
  'must begin with https:// in live': 'doit commencer par https:// en production',
  'must have 1 to {} characters': 'doit avoir de 1 à {} caractères',
  'must have 1 to {} characters on one line': 'doit avoir de 1 à {} caractères sur une ligne',
  'must have at most {} characters, or be what it is': 'doit avoir au plus {} caractères, ou rester tel quel',
  'must be 1 to {} plain characters': 'doit avoir de 1 à {} caractères simples',
  'must stand on one line': 'doit tenir sur une ligne',
  'must not be less than minimum': 'ne doit pas être inférieur au minimum',
  'must be at least {}: so many are paid or under way':
    'doit être au moins {} : autant sont payés ou en cours',
  'must leave each item at most {} times': 'ne doit pas permettre plus de {} fois un article',
  'must be given, or lineItems': 'doit être indiqué, ou des articles',
  'must be given, or openAmount': 'doivent être indiqués, ou un montant libre',
  'is for lineItems only': 'ne vaut que pour des articles',
  'is for recurrent codes only': 'ne vaut que pour les codes réutilisables',
  'cannot stand beside {}': 'ne peut pas aller avec {}',
  'must not stand beside entitlements': 'ne va pas avec un choix de droits',
  'must be true, or entitlements be named': 'doit être vrai, ou des droits être nommés',
  'must be disbursement: float is for what is paid out':
    'doit être un décaissement : l’approvisionnement sert aux versements',
  'must be a PNG of at most 64 KiB and 1024 × 1024 pixels':
    'doit être un PNG d’au plus 64 Kio et 1024 × 1024 pixels',
  'must be an email address': 'doit être une adresse de courriel',
  'or csv is required': 'ou un fichier CSV est obligatoire',
  'has no lines after its headings': 'n’a pas de lignes après ses titres',
  'has more than {} lines after its headings': 'a plus de {} lignes après ses titres',
  'is no CSV: {}': 'n’est pas un fichier CSV : {}',
  'has no column {}': 'n’a pas de colonne {}',
  'has the column {} twice': 'a deux fois la colonne {}',
  'has {} columns that mean nothing here: there are {}': 'a {} colonnes inconnues ici : les colonnes sont {}',
  'names no batch here': 'n’est pas un lot d’ici',
  'names no payment here': 'n’est pas un paiement d’ici',
  'names no completed payment of this Space and environment':
    'n’est pas un paiement réussi de ce Space et de cet environnement',
  'names no payment link here': 'n’est pas un lien de paiement d’ici',
  'names no payout of this Space and environment':
    'n’est pas un versement de ce Space et de cet environnement',
  'names no entitlement of this receipt': 'n’est pas un droit de ce reçu',
  'names no open item': 'n’est pas un écart ouvert',
  'names no object here that events are about': 'n’est pas un objet d’ici qui a des événements',
  'names nothing here that was decided about': 'n’est rien d’ici sur quoi une décision porte',

  // Tokens, team, webhooks, sign-in.
  '"{}" is more than you may do here': '« {} » dépasse ce que vous pouvez faire ici',
  '"{}" is not a network like 10.0.0.0/8': '« {} » n’est pas un réseau comme 10.0.0.0/8',
  '"{}" is outside the networks of your own token': '« {} » est hors des réseaux de votre propre jeton',
  'is made by us with ED25519': 'est créé par nous avec ED25519',
  'A Space has at most {} webhooks.': 'Un Space a au plus {} webhooks.',
  'The webhook is not enabled.': 'Ce webhook n’est pas actif.',
  'A person has at most {} tokens that work.': 'Une personne a au plus {} jetons valables.',
  'Only the person whose token it is can roll it.':
    'Seule la personne à qui est ce jeton peut le renouveler.',
  'This token may do more than you may: it rolls itself, or its person does.':
    'Ce jeton permet plus que votre rôle : seule la personne à qui il est peut le renouveler.',
  'This token {}: create another.': 'Ce jeton ne peut plus servir ({}) : créez-en un autre.',
  'It is good in other Spaces, too: only its person can revoke it. Remove the member to keep it out of this one.':
    'Il vaut aussi dans d’autres Spaces : seule la personne à qui il est peut le révoquer. Retirez le membre pour l’exclure d’ici.',
  'There is no such invitation.': 'Cette invitation n’existe pas.',
  'This invitation was {}.': 'Cette invitation n’est plus valable ({}).',
  'An invitation is mailed at most {} times: withdraw it and invite again.':
    'Une invitation est envoyée au plus {} fois : retirez-la et invitez de nouveau.',
  'This is the last owner of the Space: make somebody else one first.':
    'C’est le dernier propriétaire du Space : nommez-en d’abord un autre.',
  'There is no such member of this Space.': 'Ce membre n’existe pas dans ce Space.',
  'Only an owner decides about owners.': 'Seul un propriétaire décide des propriétaires.',
  'Members are of both environments: a token of live changes them, or somebody at the console.':
    'Les membres valent pour les deux environnements : un jeton de production les modifie, ou une personne à la console.',
  'A person has at most {} passkeys.': 'Une personne a au plus {} clés d’accès.',
  'Passkeys need the service to have a name: open it by that, and not by its number.':
    'Les clés d’accès demandent un nom de service : ouvrez-le par son nom, pas par son adresse IP.',
  'There is no such passkey of yours.': 'Cette clé d’accès n’est pas à vous.',
  'There is no such session of yours.': 'Cette session n’est pas à vous.',
  'You have no passkey.': 'Vous n’avez pas de clé d’accès.',
  'There is no authenticator app.': 'Il n’y a pas d’application d’authentification.',
  'You have an authenticator app: remove it first.': 'Vous avez déjà une application : supprimez-la d’abord.',
  'No authenticator app waits to be confirmed: begin again.':
    'Aucune application n’attend d’être confirmée : recommencez.',
  'No sign-in waits for a code here: begin again with a link.':
    'Aucune connexion n’attend de code ici : recommencez avec un lien.',
  'Signing in at the identity provider did not work. Try again, or sign in by another way.':
    'La connexion chez le fournisseur d’identité a échoué. Réessayez, ou connectez-vous autrement.',
  'Single sign-on is out of order: ask whoever runs this service, or sign in by another way.':
    'L’authentification unique est hors service : adressez-vous à l’exploitant, ou connectez-vous autrement.',
  'The identity provider does not say that you have just shown there who you are.':
    'Le fournisseur d’identité ne confirme pas que vous venez de vous y identifier.',
  'This installation has no identity provider: sign in by another way.':
    'Cette installation n’a pas de fournisseur d’identité : connectez-vous autrement.',
  'This is for who is signed in, with no token.': 'Il faut être connecté, sans jeton.',
  'This Space is suspended by the operator of the service; whoever runs the service can say why.':
    'Ce Space est suspendu par l’exploitant du service, qui peut dire pourquoi.',

  // What was decided, or ended.
  'Another payment is under way.': 'Un autre paiement est en cours.',
  'This payout needs no approval.': 'Ce versement ne demande pas d’approbation.',
  'This batch needs no approval.': 'Ce lot ne demande pas d’approbation.',
  'This refund needs no approval.': 'Ce remboursement ne demande pas d’approbation.',
  'A payout is approved or rejected by another user than the one who asked for it.':
    'Un versement est approuvé ou refusé par une autre personne que celle qui l’a demandé.',
  'A batch is approved or rejected by another user than the one who created it.':
    'Un lot est approuvé ou refusé par une autre personne que celle qui l’a créé.',
  'A refund is approved or rejected by another user than the one who asked for it.':
    'Un remboursement est approuvé ou refusé par une autre personne que celle qui l’a demandé.',
  'Another refund of this payment had failed and went back after all: with this one, more would go back than was paid. Reject it.':
    'Un autre remboursement de ce paiement, d’abord en échec, a finalement abouti : avec celui-ci, le payeur recevrait plus qu’il n’a payé. Refusez-le.',
  'Some rows cannot be paid now; see details. The batch still waits, and can be rejected.':
    'Certaines lignes ne peuvent pas être payées maintenant. Le lot attend toujours, et peut être refusé.',
  'The payout was not approved.': 'Le versement n’a pas été approuvé.',
  'The payout was cancelled before it was sent.': 'Le versement a été annulé avant son envoi.',
  'Only a completed payout can be recalled.': 'Seul un versement réussi peut être rappelé.',
  'Its provider says that this payout never left: its case decides about the money.':
    'Son opérateur dit que ce versement n’est jamais parti : son dossier décide de l’argent.',
  'Another recall came back by this transaction of the provider.':
    'Un autre rappel est revenu par cette transaction de l’opérateur.',
  'This recall is {}.': 'Ce rappel est déjà traité ({}).',
  'There is no recall {}.': 'Le rappel {} n’existe pas.',
  'There is no such case.': 'Ce dossier n’existe pas.',
  'This case was closed at {}': 'Ce dossier a été clos le {}',
  'There is no such settlement.': 'Ce règlement n’existe pas.',
  'This settlement was reversed at {}.': 'Ce règlement a été contre-passé le {}.',
  'This entry of the bank is booked already.': 'Cette opération bancaire est déjà comptabilisée.',
  'is that of another settlement with this provider': 'est celle d’un autre règlement avec cet opérateur',
  'The provider owes less than that. Where it paid in advance, say so with `isAdvance`.':
    'L’opérateur doit moins que cela. S’il a payé d’avance, indiquez-le.',
  'Its provider says that this payment never arrived: its case decides about the money.':
    'Ce paiement a été marqué comme réussi à la main, mais son opérateur indique que l’argent n’est jamais arrivé : il ne peut pas être remboursé.',
  '{} Reject this refund.': 'L’argent de ce paiement n’est jamais arrivé. Rejetez ce remboursement.',
  'The link belongs to another email address.': 'Ce lien est destiné à une autre adresse e-mail.',
  'There is no such open item.': 'Cet écart n’existe pas.',
  'This item was closed at {} by {}: {}': 'Cet écart a été clos le {} par {} : {}',
  'No statement covers the time of this item yet: import one first.':
    'Aucun relevé ne couvre encore la date de cet écart : importez-en un d’abord.',
  'Another import or reconciliation is under way; try again.':
    'Un autre import ou rapprochement est en cours : réessayez.',
  'There is no such Space.': 'Ce Space n’existe pas.',
  'There is no such country here.': 'Ce pays n’existe pas ici.',
  'There is no connection {} in {}.': 'La connexion {} n’existe pas en {}.',
  'There is no such {}, or it was not sent yet.':
    'Cet objet ({}) n’existe pas, ou n’a pas encore été envoyé.',
  'There is no such {}.': 'Cet objet ({}) n’existe pas.',
  'It is paused already.': 'C’est déjà en pause.',
  'It is not paused.': 'Ce n’est pas en pause.',
  'The protocol of this connection has nothing harmless to ask.':
    'Le protocole de cette connexion ne permet aucun essai sans effet.',
}

type Pattern = { form: RegExp; french: string }

/** The fewest placeholders first: what names more says less. */
const patterns: Pattern[] = Object.entries(sentences)
  .sort(([one], [other]) => one.split('{}').length - other.split('{}').length || other.length - one.length)
  .map(([english, french]) => ({
    form: new RegExp(`^${english.split('{}').map(literally).join('(.*)')}$`, 's'),
    french,
  }))

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The sentence in French; as it is where it is none of the API's. */
export function inFrench(sentence: string): string {
  for (const { form, french } of patterns) {
    const [, ...named] = form.exec(sentence) ?? []
    if (form.test(sentence)) return french.replaceAll('{}', () => named.shift() ?? '')
  }
  return sentence
}
