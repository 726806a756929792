/** French translations of the API's refusals. `{}` is a placeholder. test/tidy/refusals.test.ts finds missing ones. */
const sentences: Record<string, string> = {
  // Reasons.
  'Some arguments are invalid; see details.': 'Certaines valeurs ne sont pas valides.',
  'Sign-in failed: the link, code or passkey is invalid, already used or expired.':
    'La connexion a échoué : le lien, le code ou la clé d’accès n’est pas valide, a déjà été utilisé ou a expiré.',
  'You do not have permission to do this in this Space.':
    'Vous n’avez pas l’autorisation d’effectuer cette action dans ce Space.',
  'You do not have permission to do this in this Space. It requires {}.':
    'Vous n’avez pas l’autorisation d’effectuer cette action dans ce Space. Elle exige l’autorisation {}.',
  'You do not have permission to do this in this Space. It requires {}. With refunds:propose you can propose it for another member to approve.':
    'Vous n’avez pas l’autorisation d’effectuer cette action dans ce Space. Elle exige l’autorisation {}. Avec refunds:propose, vous pouvez la soumettre à l’approbation d’un autre membre.',
  'This requires a recent sign-in. Sign in again to continue.':
    'Cette action exige une connexion récente. Reconnectez-vous pour continuer.',
  'The access token is not valid.': 'Le jeton d’accès n’est pas valide.',
  'The access token has expired.': 'Le jeton d’accès a expiré.',
  'No such object exists in this Space and environment.':
    'Cet objet n’existe pas dans ce Space et cet environnement.',
  'This URL does not exist.': 'Cette adresse n’existe pas.',
  'The request did not arrive in time.': 'La requête n’est pas arrivée à temps.',
  'The cursor is not valid for this query. Start again without `after`.':
    'La liste n’est plus à jour. Rechargez la page.',
  'This Idempotency-Key was already used for a different request.':
    'Cette clé d’idempotence a déjà été utilisée pour une autre requête. Rechargez la page.',
  'A request with this Idempotency-Key is still in progress.': 'Une requête identique est encore en cours.',
  'The object’s current state does not allow this.': 'L’état actuel de l’objet ne permet pas cette action.',
  'The account’s available balance does not cover the amount and the fee.':
    'Le solde disponible du compte ne couvre pas le montant et les frais.',
  'The amount exceeds what can still be refunded.': 'Le montant dépasse ce qui peut encore être remboursé.',
  'This payment has reached the maximum number of refunds.':
    'Ce paiement a atteint le nombre maximal de remboursements.',
  'This payment is too old to be refunded.': 'Ce paiement est trop ancien pour être remboursé.',
  'The provider of this payment supports neither refunds nor payouts to the payer.':
    'Le prestataire de ce paiement ne permet ni les remboursements ni les versements au payeur.',
  'The amount exceeds what can still be recalled.': 'Le montant dépasse ce qui peut encore être rappelé.',
  'Another object already uses this reference.': 'Un autre objet utilise déjà cette référence.',
  'The body is larger than 256 KiB.': 'La requête dépasse 256 Kio.',
  'The body is larger than {} KiB.': 'La requête dépasse {} Kio.',
  'Too many requests. Wait a moment and try again.':
    'Trop de requêtes. Patientez un instant, puis réessayez.',
  'Something went wrong on our side. It is safe to retry with the same idempotency key.':
    'Une erreur s’est produite de notre côté. Vous pouvez réessayer sans risque.',
  'The service is temporarily unavailable. It is safe to retry with the same idempotency key.':
    'Le service est momentanément indisponible. Vous pouvez réessayer sans risque.',
  // What is wrong with the value of a field.
  'is required': 'est obligatoire',
  'is not recognized': 'n’est pas reconnu',
  'is not a known field': 'n’est pas un champ connu',
  'is not valid': 'n’est pas valide',
  'must not be empty': 'ne doit pas être vide',
  'must be true or false': 'doit être vrai ou faux',
  'must be one of {}': 'doit être l’une des valeurs suivantes : {}',
  'must be at least {} characters': 'doit comporter au moins {} caractères',
  'must have at least {} entries': 'doit comporter au moins {} éléments',
  'must have at most {} entries': 'doit comporter au plus {} éléments',
  'must have at least {} keys': 'doit comporter au moins {} clés',
  'must have at most {} keys': 'doit comporter au plus {} clés',
  'must be at least {}': 'doit être d’au moins {}',
  'must be at most {}': 'ne doit pas dépasser {}',
  'must be a timestamp such as 2026-11-21T08:00:00Z, without leap seconds':
    'doit être une date et une heure valides',
  'must contain a visible character': 'doit contenir un caractère visible',
  'must match the pattern {}': 'n’est pas au format attendu',
  'must have the form {}': 'doit être au format {}',
  'must not contain NUL or unpaired surrogates':
    'ne doit pas contenir de caractères qui ne peuvent pas être enregistrés',
  'cannot be represented exactly; send it as a string':
    'est un nombre trop grand pour être représenté exactement',
  'must not be nested deeper than {} levels': 'ne doit pas comporter plus de {} niveaux d’imbrication',
  'is given more than once': 'est indiqué plusieurs fois',
  // Money and accounts.
  'is not a supported currency': 'n’est pas une devise prise en charge',
  'This Space has no custom {} fee.': 'Ce Space n’a pas de frais particuliers de ce type : {}.',
  'does not exist': 'n’existe pas',
  'You cannot change your own access. Ask another operator, or use a command.':
    'Vous ne pouvez pas modifier votre propre accès. Demandez à un autre opérateur, ou utilisez une commande.',
  'does not name a financial account in this Space': 'ne désigne pas un compte de ce Space',
  'does not name a financial account in the Space and environment of this case':
    'ne désigne pas un compte du Space et de l’environnement de ce dossier',
  'is an account in {}, not {}': 'est un compte en {}, pas en {}',
  'must differ from the source account': 'doit être différent du compte source',
  'is in {}, but the case is in {}': 'est en {} ; le dossier est en {}',
  'is already used by another account': 'est déjà utilisée par un autre compte',
  'must stay {}': 'doit rester {}',
  'must be {}, the currency of the first item': 'doit être {}, comme pour le premier article',
  'must be {}, the currency of the payment': 'doit être {}, la devise du paiement',
  'must be {}, the currency of the payout': 'doit être {}, la devise du versement',
  'must be {}, the currency of the code’s account and other amounts':
    'doit être {}, comme les autres montants du code et son compte',
  'must be in {}': 'doit être en {}',
  'must be between 1 and {}, the recalled amount': 'doit être compris entre 1 et {}, le montant rappelé',
  'must be more than the fee of {}, which the payer bears':
    'doit être supérieur aux frais de {}, à la charge du payeur',
  'must not total more than {}': 'ne doivent pas dépasser {} au total',
  'must not resemble "{}", the name of a provider':
    'ne doit pas ressembler à « {} », le nom d’un prestataire',
  'totals more than {} minor units of {}': 'dépasse au total {} unités mineures de {}',
  'exceeds the {} that the provider owes': 'dépasse les {} dus par le prestataire',
  'This would exceed the maximum balance of an account.':
    'Cette opération dépasserait le solde maximal d’un compte.',
  'This transfer would exceed the maximum balance of an account.':
    'Ce virement dépasserait le solde maximal d’un compte.',
  'The available balance of the account is less than the amount of the case.':
    'Le solde disponible du compte est inférieur au montant du dossier.',
  'The balance does not cover all of these payouts.': 'Le solde ne couvre pas tous ces versements.',
  // Times.
  'must be in the future': 'doit être dans le futur',
  'must not be in the future': 'ne doit pas être dans le futur',
  'has more than {} accounts; download their statements one by one':
    'compte plus de {} comptes ; téléchargez leurs relevés un par un',
  'has more than {} statement lines; download the statements one by one':
    'compte plus de {} lignes de relevé ; téléchargez les relevés un par un',
  'must be at most 366 days from now': 'doit être dans les 366 prochains jours',
  'must be in the future, within one year': 'doit être dans le futur, dans un délai d’un an',
  'must be later than `from`': 'doit être postérieur au début',
  'must be later than `since`': 'doit être postérieur au début',
  'must be after `from`': 'doit être postérieur au début',
  'must not be after the end of the range': 'ne doit pas être postérieur à la fin',
  'must not be before {}': 'ne doit pas être antérieur au {}',
  'must be at most {} days after the start of the range': 'doit être au plus tard {} jours après le début',
  'must be no later than tomorrow': 'doit être demain au plus tard',
  'makes the range exceed {} days; narrow the range': 'couvre plus de {} jours ; réduisez la période',
  'makes the range exceed {} lines; narrow the range or request text/csv':
    'porte la période à plus de {} lignes ; réduisez-la ou téléchargez le CSV',
  // Phones, providers, payees.
  'is not a phone number': 'n’est pas un numéro de téléphone valide',
  'is not a phone number in the provider’s country':
    'n’est pas un numéro de téléphone du pays du prestataire',
  'must be an account number of 6 to 20 digits and letters':
    'doit être un numéro de compte de 6 à 20 chiffres et lettres',
  'must be a wallet id of 3 to 64 characters':
    'doit être un identifiant de portefeuille de 3 à 64 caractères',
  'belongs to {}, not to {}; see GET /v1/phone-numbers/{} for its providers':
    'est un numéro {}, pas un numéro {}',
  'does not name a provider': 'ne désigne pas un prestataire',
  'is not a provider in the catalogue': 'n’est pas un prestataire du catalogue',
  'was not returned by a previous call': 'n’a pas été renvoyé par un appel précédent',
  'is not a provider': 'n’est pas un prestataire',
  'is not a momo provider': 'n’est pas un prestataire de mobile money',
  'is not a {} provider': 'n’est pas un prestataire de type {}',
  'is not currently available': 'n’est pas disponible actuellement',
  'is not accepted by {}; it accepts {}': 'n’est pas acceptée par {}, qui accepte {}',
  'is not a field of a {} destination': 'n’est pas un champ d’une destination de type {}',
  'does not support {}': 'ne prend pas en charge {}',
  'does not support payouts': 'ne permet pas les versements',
  'is not a supported country': 'n’est pas un pays pris en charge',
  'leaves no payment method': 'ne laisse aucun moyen de paiement',
  'is listed twice': 'figure deux fois dans la liste',
  'must be from {} to {}': 'doit être compris entre {} et {}',
  'must have a phone number, or a provider and an account':
    'doit comporter un numéro de téléphone, ou un prestataire et un compte',
  'must not be combined with a phone number': 'ne doit pas accompagner un numéro de téléphone',
  'is required with a provider': 'est obligatoire avec un prestataire',
  'is required with an account': 'est obligatoire avec un compte',
  'is not an account of this provider': 'n’est pas un compte de ce prestataire',
  'This export has expired. Create a new one.': 'Cette copie a expiré. Créez-en une autre.',
  'This export is too large for one JSON document. Download it as CSV or XLSX.':
    'Cette copie est trop grande pour un document JSON. Téléchargez-la au format CSV ou XLSX.',
  // Forms.
  'must not be repeated': 'ne doit pas être répété',
  'must be unique within the session': 'doit être unique sur la page',
  'must start with https:// in the live environment': 'doit commencer par https:// en production',
  'must be 1 to {} characters': 'doit comporter de 1 à {} caractères',
  'must be 1 to {} characters on one line': 'doit comporter de 1 à {} caractères sur une seule ligne',
  'must be at most {} characters': 'doit comporter au plus {} caractères',
  'must be 1 to {} printable ASCII characters': 'doit comporter de 1 à {} caractères ASCII imprimables',
  'must be a single line': 'doit tenir sur une seule ligne',
  'must be at least minimum': 'ne doit pas être inférieur au minimum',
  'must be at least {}, the number of payments completed or in progress':
    'doit être au moins égal à {}, le nombre de paiements réussis ou en cours',
  'must allow at most {} units of each item': 'doit permettre au plus {} unités de chaque article',
  'is required unless lineItems are set': 'est obligatoire si aucun article n’est indiqué',
  'is required unless openAmount is set': 'sont obligatoires si le montant n’est pas libre',
  'can only be used with lineItems': 'ne peut être utilisée qu’avec des articles',
  'is for recurrent codes only': 'n’est possible que pour les codes acceptant plusieurs paiements',
  'must be true unless entitlements are set': 'doit être vrai si aucun droit n’est indiqué',
  'cannot be combined with {}': 'ne peut pas être combiné avec {}',
  'must be {}, the currency of the source account': 'doit être {}, la devise du compte source',
  'must be disbursement, since float is for payouts':
    'doit être un décaissement, car l’approvisionnement sert aux versements',
  'must be a PNG of at most 64 KiB and 1024 × 1024 pixels':
    'doit être une image PNG d’au plus 64 Kio et 1024 × 1024 pixels',
  'must be an email address': 'doit être une adresse e-mail',
  'or csv is required': 'ou un fichier CSV est obligatoire',
  'has no lines after the headings': 'ne contient aucune ligne après les en-têtes',
  'has more than {} lines after the headings': 'contient plus de {} lignes après les en-têtes',
  'is not valid CSV: {}': 'n’est pas un fichier CSV valide : {}',
  'has no column {}': 'ne contient pas la colonne {}',
  'has the column {} twice': 'contient deux fois la colonne {}',
  'has unknown columns ({}); the known ones are {}':
    'contient des colonnes inconnues ({}) ; les colonnes connues sont {}',
  'does not name a batch in this Space': 'ne désigne pas un lot de ce Space',
  'does not name a payment in this Space': 'ne désigne pas un paiement de ce Space',
  'does not name a completed payment in this Space and environment':
    'ne désigne pas un paiement réussi de ce Space et de cet environnement',
  'does not name a payment link in this Space': 'ne désigne pas un lien de paiement de ce Space',
  'does not name a payout in this Space and environment':
    'ne désigne pas un versement de ce Space et de cet environnement',
  'does not name an entitlement of this receipt': 'ne désigne pas un droit de ce reçu',
  'does not name an open item': 'ne désigne pas un écart ouvert',
  'does not name an object with events in this Space':
    'ne désigne aucun objet de ce Space qui a des événements',
  'has no audit entries in this Space': 'n’a aucune entrée d’audit dans ce Space',
  '"{}" exceeds your permissions in this Space': '« {} » dépasse vos autorisations dans ce Space',
  '"{}" is not a valid network; use CIDR notation, such as 10.0.0.0/8':
    '« {} » n’est pas un réseau valide ; utilisez la notation CIDR, par exemple 10.0.0.0/8',
  '"{}" is outside your own token’s networks':
    '« {} » n’est pas compris dans les réseaux de votre propre jeton',
  // Tokens, team, webhooks, sign-in.
  'must be omitted with ED25519; the key pair is generated':
    'doit être omis avec ED25519 : la paire de clés est générée',
  'A Space can have at most {} webhooks.': 'Un Space peut avoir au plus {} webhooks.',
  'The webhook is not enabled.': 'Le webhook n’est pas activé.',
  'Examples can be sent only in the test environment.':
    'Les exemples ne peuvent être envoyés que dans l’environnement de test.',
  'You can have at most {} active access tokens. Revoke one first.':
    'Vous pouvez avoir au plus {} jetons d’accès actifs. Révoquez-en un d’abord.',
  'Only the owner of a token can roll it.': 'Seul le propriétaire d’un jeton peut le remplacer.',
  'This token has more permissions than the one you are using. Roll it with the token itself, or in the console.':
    'Ce jeton a plus d’autorisations que celui que vous utilisez. Remplacez-le en utilisant le jeton lui-même, ou dans la console.',
  'This token has already been rolled. Create a new one.':
    'Ce jeton a déjà été remplacé. Créez-en un nouveau.',
  'This token is no longer active. Create a new one.': 'Ce jeton n’est plus actif. Créez-en un nouveau.',
  'This token {}. Create a new one.': 'Ce jeton ne peut plus être remplacé ({}). Créez-en un nouveau.',
  'This token is also valid in other Spaces. Only its owner can revoke it. Remove the member to block it in this Space.':
    'Ce jeton est également valable dans d’autres Spaces. Seul son propriétaire peut le révoquer. Retirez le membre pour le bloquer dans ce Space.',
  'This person is already a member.': 'Cette personne est déjà membre.',
  'This person is already invited. Resend the invitation instead.':
    'Cette personne est déjà invitée. Renvoyez plutôt l’invitation.',
  'A Space can have at most {} members, including open invitations.':
    'Un Space peut avoir au plus {} membres, invitations en cours comprises.',
  'A Space can send at most {} invitations per day.':
    'Un Space peut envoyer au plus {} invitations par jour.',
  'No such invitation in this Space.': 'Cette invitation n’existe pas dans ce Space.',
  'This invitation was already accepted.': 'Cette invitation a déjà été acceptée.',
  'This invitation was already withdrawn.': 'Cette invitation a déjà été retirée.',
  'This invitation was already {}.': 'Cette invitation a déjà été traitée ({}).',
  'An invitation can be sent at most {} times. Withdraw this one and create a new invitation.':
    'Une invitation peut être envoyée au plus {} fois. Retirez-la et envoyez-en une nouvelle.',
  'This is the last owner of the Space. Make another member an owner first.':
    'Ce membre est le dernier propriétaire du Space. Nommez d’abord un autre propriétaire.',
  'No such member in this Space.': 'Ce membre n’existe pas dans ce Space.',
  'Only an owner can add, change or remove owners.':
    'Seul un propriétaire peut ajouter, modifier ou retirer des propriétaires.',
  'Members belong to both environments. Change them with a live token or in the console.':
    'Les membres appartiennent aux deux environnements. Modifiez-les avec un jeton de production ou dans la console.',
  'You can have at most {} passkeys. Remove one first.':
    'Vous pouvez avoir au plus {} clés d’accès. Supprimez-en une d’abord.',
  'Passkeys do not work with an IP address. Open the console using its host name.':
    'Les clés d’accès ne fonctionnent pas avec une adresse IP. Ouvrez la console par son nom d’hôte.',
  'You have no passkey with this id.': 'Vous n’avez pas de clé d’accès avec cet identifiant.',
  'You have no session with this id.': 'Vous n’avez pas de session avec cet identifiant.',
  'This invitation was {}.': 'Cette invitation n’est plus valide ({}).',
  'There is no such member of this Space.': 'Ce membre n’existe pas dans ce Space.',
  'You have no passkey.': 'Vous n’avez pas de clé d’accès.',
  'The passkey could not be registered. It may already be registered, or the request may have expired. Try again.':
    'La clé d’accès n’a pas pu être enregistrée. Elle l’est peut-être déjà, ou la demande a peut-être expiré. Réessayez.',
  'Too many wrong codes. Wait a while, or use a recovery code or a passkey.':
    'Trop de codes erronés. Patientez, ou utilisez un code de secours ou une clé d’accès.',
  'Use your passkey, authenticator app or single sign-on instead. They are safer than a code by email.':
    'Vous disposez d’un moyen plus sûr : clé d’accès, application d’authentification ou authentification unique.',
  'Too many codes were requested. Try again later, or sign in again with an email link.':
    'Trop de codes ont été demandés. Patientez, ou reconnectez-vous avec un lien par e-mail.',
  'This code has expired, has already been used, or was entered incorrectly too many times. Request a new one.':
    'Ce code a expiré, a déjà servi ou a été mal saisi trop souvent. Demandez-en un nouveau.',
  'Request a code first.': 'Demandez d’abord un code.',
  'This installation has no mail server (SMTP_URL). Contact its operator.':
    'Ce service n’a pas de serveur de messagerie (SMTP_URL). Contactez son opérateur.',
  'This code is wrong, already used, or expired.': 'Ce code est erroné, déjà utilisé ou expiré.',
  'This link was requested in another browser, or another user is signed in here. Enter the email address to which the link was sent.':
    'Ce lien a été demandé dans un autre navigateur, ou un autre utilisateur est connecté ici. Saisissez l’adresse e-mail à laquelle il a été envoyé.',
  'does not match the link': 'ne correspond pas au lien',
  'No authenticator app is set up.': 'Aucune application d’authentification n’est configurée.',
  'You already have an authenticator app. Remove it first.':
    'Vous avez déjà une application d’authentification. Supprimez-la d’abord.',
  'No authenticator app is waiting to be confirmed. Start again.':
    'Aucune application d’authentification n’est en attente de confirmation. Recommencez.',
  'No sign-in is waiting for a code. Request a new link.':
    'Aucune connexion n’est en attente d’un code. Demandez un nouveau lien.',
  'The identity provider has not verified your email address.':
    'Le fournisseur d’identité n’a pas vérifié votre adresse e-mail.',
  'No user has your email address. Ask for an invitation.':
    'Aucun utilisateur n’a votre adresse e-mail. Demandez une invitation.',
  'Your email address is linked to another account at the identity provider.':
    'Votre adresse e-mail est liée à un autre compte chez le fournisseur d’identité.',
  'Single sign-on failed. Try again, or sign in another way.':
    'L’authentification unique a échoué. Réessayez, ou connectez-vous autrement.',
  'Single sign-on is not working. Contact the operator, or sign in another way.':
    'L’authentification unique ne fonctionne pas. Contactez l’exploitant, ou connectez-vous autrement.',
  'The identity provider did not confirm that you just signed in there. Try again.':
    'Le fournisseur d’identité n’a pas confirmé que vous venez de vous y connecter. Réessayez.',
  'This installation has no identity provider. Sign in another way.':
    'Cette installation n’a pas de fournisseur d’identité. Connectez-vous autrement.',
  'This requires a console session. API tokens cannot call it.':
    'Cette action exige une session de la console. Les jetons d’API n’y ont pas accès.',
  'This Space is suspended. Contact the operator of this service.':
    'Ce Space est suspendu. Contactez l’exploitant du service.',
  'Another payment is already in progress.': 'Un autre paiement est déjà en cours.',
  // Questions to the provider.
  'This payment has not been sent yet.': 'Ce paiement n’a pas encore été envoyé.',
  'This payout has not been sent yet.': 'Ce versement n’a pas encore été envoyé.',
  'This refund has not been sent yet.': 'Ce remboursement n’a pas encore été envoyé.',
  'The outcome of this payment is already known.': 'Le résultat de ce paiement est déjà connu.',
  'The outcome of this payout is already known.': 'Le résultat de ce versement est déjà connu.',
  'The outcome of this refund is already known.': 'Le résultat de ce remboursement est déjà connu.',
  'The provider was asked about this payment less than 10 seconds ago. Wait a few seconds and ask again.':
    'Le prestataire a été interrogé sur ce paiement il y a moins de 10 secondes. Patientez quelques secondes, puis réessayez.',
  'The provider was asked about this payout less than 10 seconds ago. Wait a few seconds and ask again.':
    'Le prestataire a été interrogé sur ce versement il y a moins de 10 secondes. Patientez quelques secondes, puis réessayez.',
  'The provider was asked about this refund less than 10 seconds ago. Wait a few seconds and ask again.':
    'Le prestataire a été interrogé sur ce remboursement il y a moins de 10 secondes. Patientez quelques secondes, puis réessayez.',
  // Decisions, and objects that have already ended.
  'This payout does not need approval.': 'Ce versement ne nécessite pas d’approbation.',
  'This batch does not need approval.': 'Ce lot ne nécessite pas d’approbation.',
  'This refund does not need approval.': 'Ce remboursement ne nécessite pas d’approbation.',
  'A payout must be approved or rejected by a user other than its creator.':
    'Un versement doit être approuvé ou refusé par une autre personne que celle qui l’a créé.',
  'A batch must be approved or rejected by a user other than its creator.':
    'Un lot doit être approuvé ou refusé par une autre personne que celle qui l’a créé.',
  'A refund must be approved or rejected by a user other than its creator.':
    'Un remboursement doit être approuvé ou refusé par une autre personne que celle qui l’a créé.',
  'Another refund of this payment, which was reported as failed, has reached the payer after all. If you approved this refund, more than the payment would be refunded; reject it.':
    'Un autre remboursement de ce paiement, signalé comme échoué, est finalement parvenu au payeur. Approuver ce remboursement dépasserait le montant du paiement ; refusez-le.',
  'Some rows cannot be paid now; see details. The batch is still pending and can be rejected.':
    'Certaines lignes ne peuvent pas être payées pour le moment. Le lot est toujours en attente et peut être refusé.',
  'The payout was not approved.': 'Le versement n’a pas été approuvé.',
  'The payout was cancelled before it was sent.': 'Le versement a été annulé avant son envoi.',
  'Only a completed payout can be recalled.': 'Seuls les fonds d’un versement réussi peuvent être rappelés.',
  'The provider reports that this payout was never paid. The operator will resolve the case.':
    'Le prestataire indique que ce versement n’a jamais été effectué. L’exploitant tranchera dans le dossier correspondant.',
  'This provider transaction has already been recorded for another recall.':
    'Cette transaction du prestataire a déjà servi à restituer les fonds d’un autre rappel.',
  'must be {} or later, because earlier months were archived':
    'doit être {} ou plus tard, car les mois antérieurs ont été archivés',
  'must be at or after {}, because earlier bookings were archived':
    'doit être à partir de {}, car les écritures antérieures ont été archivées',
  'The bookings before {} were archived. Import only later transactions.':
    'Les écritures avant {} ont été archivées. N’importez que les transactions ultérieures.',
  'The bookings of this payout were archived. It can no longer be recalled.':
    'Les écritures de ce versement ont été archivées. Il ne peut plus être rappelé.',
  'This recall is already {}.': 'Ce rappel de fonds a déjà été traité ({}).',
  'There is no recall {}.': 'Le rappel de fonds {} n’existe pas.',
  'There is no such case.': 'Ce dossier n’existe pas.',
  'This case was closed at {}': 'Ce dossier a été clôturé le {}',
  'There is no such settlement.': 'Ce règlement n’existe pas.',
  'This settlement was reversed at {}.': 'Ce règlement a été contre-passé le {}.',
  'This bank entry is already booked.': 'Cette opération bancaire est déjà comptabilisée.',
  'is already used by another settlement with this provider':
    'est déjà utilisée par un autre règlement avec ce prestataire',
  'The provider owes less than this amount. If it paid in advance, set `isAdvance`.':
    'Le prestataire doit moins que ce montant. S’il a payé d’avance, indiquez-le.',
  'The provider reports that this payment never arrived. The operator will resolve the case.':
    'Le prestataire indique que ce paiement n’est jamais arrivé. L’exploitant tranchera dans le dossier correspondant.',
  '{} Reject this refund.':
    'Le prestataire indique que ce paiement n’est jamais arrivé. Refusez ce remboursement.',
  'This link was sent to another email address.': 'Ce lien a été envoyé à une autre adresse e-mail.',
  'There is no such open item.': 'Cet écart n’existe pas.',
  'This item was closed at {} by {}: {}': 'Cet écart a été clôturé le {} par {} : {}',
  'No statement covers the time of this item yet. Import a statement first.':
    'Aucun relevé ne couvre encore la date de cet écart. Importez-en un d’abord.',
  'Another import or reconciliation is running. Try again when it has finished.':
    'Un autre import ou rapprochement est en cours. Réessayez.',
  'There is no such Space.': 'Ce Space n’existe pas.',
  'This country is not supported.': 'Ce pays n’est pas pris en charge.',
  'There is no connection {} in {}.': 'La connexion {} n’existe pas dans {}.',
  'This {} does not exist or has not been sent yet.':
    'Cet objet ({}) n’existe pas, ou n’a pas encore été envoyé.',
  'There is no such {}.': 'Cet objet ({}) n’existe pas.',
  'The connection is already paused.': 'La connexion est déjà en pause.',
  'The connection is not paused.': 'La connexion n’est pas en pause.',
  'The protocol of this connection has no read-only request to test with.':
    'Le protocole de cette connexion ne prévoit aucune requête en lecture seule pour la tester.',
}

type Pattern = { form: RegExp; french: string }

/** Patterns with the fewest placeholders are tried first, because they are the most specific. */
const patterns: Pattern[] = Object.entries(sentences)
  .sort(([one], [other]) => one.split('{}').length - other.split('{}').length || other.length - one.length)
  .map(([english, french]) => ({
    form: new RegExp(`^${english.split('{}').map(literally).join('(.*)')}$`, 's'),
    french,
  }))

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** A pattern for each English sentence that has a translation. */
export const englishForms = patterns.map(({ form }) => form)

/** Translates a sentence into French, or returns it unchanged if it is unknown. */
export function inFrench(sentence: string): string {
  for (const { form, french } of patterns) {
    const [, ...named] = form.exec(sentence) ?? []
    if (form.test(sentence)) return french.replaceAll('{}', () => named.shift() ?? '')
  }
  return sentence
}
