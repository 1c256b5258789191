import type { RecordSettingsChange } from '#contract/record-settings.ts';
import { changeRecordSettings } from '#server/people/admin/directory/record-settings.ts';
import type { Database } from '#server/platform/database/pool.ts';
import type { DemoDirectory } from './directory.ts';
import { type Seat, seated } from './past-acts.ts';

/** The exchanges are invented. WISHIN Pulse is offered for patients in Wisconsin. */
const SETTINGS: readonly { seat: Seat; change: RecordSettingsChange }[] = [
  {
    seat: { user: 'desmond.achterberg', team: 'aco-transitions' },
    change: {
      pulse: {
        url: 'https://pulse.wishin.example/patient',
        fields: [
          { name: 'firstName', value: '{firstName}' },
          { name: 'lastName', value: '{lastName}' },
          { name: 'dob', value: '{dateOfBirth}' },
          { name: 'zip', value: '{zip}' },
          { name: 'source', value: 'Lakeshore ACO' },
        ],
        states: ['WI'],
      },
      vynca: {
        url: 'https://documents.vynca.example/launch',
        fields: [
          { name: 'mrn', value: '{memberId}' },
          { name: 'family', value: '{lastName}' },
          { name: 'given', value: '{firstName}' },
          { name: 'birthdate', value: '{dateOfBirth}' },
        ],
      },
    },
  },
  { seat: { user: 'hedda.quill', team: 'mercy-navigators' }, change: { allowsEmergencyAccess: true } },
  { seat: { user: 'emeka.thorne', team: 'stillwater-care' }, change: { allowsEmergencyAccess: true } },
];

/** Sets the links to exchanges of one organization, and allows emergency access at two, as their administrators do. */
export async function writeSettings(app: Database, directory: DemoDirectory, now: Date): Promise<void> {
  for (const { seat, change } of SETTINGS) {
    const actor = await seated(app, directory, seat);
    await changeRecordSettings(app, { actor, now, requestId: 'demo' }, change);
  }
}
