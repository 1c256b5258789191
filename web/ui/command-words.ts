import { COMMAND_KEYS, type CommandId } from './command-keys.ts';

/** Where a command is, in the order of the sheet. */
export const PLACES = [
  'Everywhere',
  'Go to',
  'Lists',
  'Open ping',
  'Patient',
  'Length of stay',
  'Pre-admit',
  'Event feed',
  'Users',
] as const;
type Place = (typeof PLACES)[number];

interface Words {
  place: Place;
  label: string;
  /** Offered in the palette whenever the page can do it. */
  isAction?: true;
}

/** What a command is called, in the order of the sheet. */
export const COMMAND_WORDS: Record<CommandId, Words> = {
  'app.palette': { place: 'Everywhere', label: 'Search patients, pages and actions' },
  'app.shortcuts': { place: 'Everywhere', label: 'Show keyboard shortcuts', isAction: true },
  'app.sidebar': { place: 'Everywhere', label: 'Collapse or expand sidebar', isAction: true },
  'app.density': { place: 'Everywhere', label: 'Switch between comfortable and compact rows', isAction: true },
  'go.pings': { place: 'Go to', label: 'Pings' },
  'go.patients': { place: 'Go to', label: 'Patients' },
  'go.stays': { place: 'Go to', label: 'Length of stay' },
  'go.held': { place: 'Go to', label: 'Pre-admit' },
  'go.events': { place: 'Go to', label: 'Event feed' },
  'go.spotlights': { place: 'Go to', label: 'Spotlights' },
  'go.risk': { place: 'Go to', label: 'Rising risk' },
  'go.rosters': { place: 'Go to', label: 'Rosters' },
  'go.exports': { place: 'Go to', label: 'Recent Exports' },
  'go.feeds': { place: 'Go to', label: 'Feeds' },
  'go.admin': { place: 'Go to', label: 'Admin' },
  'go.news': { place: 'Go to', label: 'What’s new' },
  'go.profile': { place: 'Go to', label: 'Your profile' },
  'list.next': { place: 'Lists', label: 'Next ping or patient, also from an open one; Shift extends the selection' },
  'list.previous': {
    place: 'Lists',
    label: 'Previous ping or patient, also from an open one; Shift extends the selection',
  },
  'list.open': { place: 'Lists', label: 'Open' },
  'list.back': { place: 'Lists', label: 'Back to the list' },
  'list.select': { place: 'Lists', label: 'Select ping, to change several at once' },
  'list.search': { place: 'Lists', label: 'Search by name or identifier', isAction: true },
  'list.filter': { place: 'Lists', label: 'Find a filter', isAction: true },
  'list.save': { place: 'Lists', label: 'Save filter', isAction: true },
  'list.print': { place: 'Lists', label: 'Print all rows', isAction: true },
  'list.undo': { place: 'Lists', label: 'Undo last change' },
  'ping.resolve': { place: 'Open ping', label: 'Resolve: choose a reason', isAction: true },
  'ping.reason': { place: 'Open ping', label: 'Choose a reason while resolving' },
  'ping.status': { place: 'Open ping', label: 'Change status', isAction: true },
  'ping.assign': { place: 'Open ping', label: 'Assign to a colleague or to me', isAction: true },
  'ping.snooze': { place: 'Open ping', label: 'Snooze until a date or a new event', isAction: true },
  'ping.why': { place: 'Open ping', label: 'Why this ping', isAction: true },
  'ping.progress': { place: 'Open ping', label: 'Mark in progress', isAction: true },
  'ping.dismiss': { place: 'Open ping', label: 'Dismiss', isAction: true },
  'ping.reopen': { place: 'Open ping', label: 'Reopen', isAction: true },
  'ping.story': { place: 'Open ping', label: "Open the patient's story", isAction: true },
  'patient.contact': { place: 'Patient', label: 'Log a contact', isAction: true },
  'patient.tags': { place: 'Patient', label: 'Edit tags', isAction: true },
  'patient.story': { place: 'Patient', label: 'Story', isAction: true },
  'patient.care-team': { place: 'Patient', label: 'Care team', isAction: true },
  'patient.case-management': { place: 'Patient', label: 'Case management', isAction: true },
  'patient.attachments': { place: 'Patient', label: 'Attachments', isAction: true },
  'stays.over': { place: 'Length of stay', label: 'Over expected only', isAction: true },
  'held.add': { place: 'Pre-admit', label: 'Hold patient', isAction: true },
  'feed.pause': { place: 'Event feed', label: 'Pause or resume live updates', isAction: true },
  'users.invite': { place: 'Users', label: 'Invite someone', isAction: true },
};

export const COMMAND_IDS = Object.keys(COMMAND_WORDS) as CommandId[];

const NAMES: Record<string, string> = { Escape: 'Esc', shift: 'Shift' };

/** Returns the keys of a command as they are printed on a keyboard: [['G', 'I']], or one entry for each key that does it. */
export const printedKeys = (id: CommandId): string[][] => {
  const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
  return COMMAND_KEYS[id].map((keys: string) =>
    keys
      .split(/[ +]/)
      .map((key) => (key === 'mod' ? mod : (NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)))),
  );
};
