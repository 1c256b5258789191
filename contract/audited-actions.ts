/**
 * The calls that the audit log records one by one, because they read or change patients' data or sign someone in: the action that the
 * entry names, and what it is about. Without zod: the browser loads it as it is.
 */
export const AUDITED_ACTIONS = {
  'sign-in': 'user',
  'patient.view': 'patient',
  'patient.accesses': 'patient',
  'patient.enter': 'patient',
  'patient.enter-event': 'patient',
  'patients.search': 'patient',
  'patients.count': 'patient',
  'patients.range-counts': 'patient',
  'patients.similar-names': 'patient',
  'patients.typeahead': 'patient',
  'facets.typeahead': 'patient',
  'events.search': 'patient',
  'inbox.view': 'patient',
  'inbox.count': 'patient',
  'inbox.hashes': 'patient',
  'inbox.stream': 'patient',
  'ping.status': 'event',
  'ping.history': 'patient',
  'saved-filter.counts': 'saved-filter',
  'saved-filter.preview': 'saved-filter',
  'message.list': 'message',
  'message.view': 'message',
  'message.replay': 'message',
  'message.preview': 'message',
  'feed.replay': 'feed',
  'match-review.list': 'match-review',
  'match-review.list-decided': 'match-review',
  'match-review.decide': 'match-review',
  'match-review.undo': 'match-review',
  'roster.upload': 'roster-upload',
  'roster.view': 'roster-upload',
  'roster.errors': 'roster-upload',
  'roster.confirm': 'roster-upload',
  'roster.cancel': 'roster-upload',
} as const;

export type AuditedAction = keyof typeof AUDITED_ACTIONS;
