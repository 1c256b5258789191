import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type DemoDirectory, idOf } from './directory.ts';

interface TeamTags {
  team: string;
  group: string;
  /** Who set them. */
  user: string;
  /** Each is set on every so-manieth patient of the list. */
  tags: readonly (readonly [name: string, every: number])[];
}

/** Two teams share a list and have tags of their own, one of them longer than a row shows. */
const TAGS: readonly TeamTags[] = [
  {
    team: 'aco-coordination',
    group: 'lakeshore-aco',
    user: 'rosa.lindgren',
    tags: [
      ['Fall risk', 7],
      ['Lives alone', 11],
      ['Needs transport to appointments', 13],
      ['Heart failure pathway, weekly weight check', 17],
      ['Interpreter: Spanish', 23],
    ],
  },
  {
    team: 'aco-transitions',
    group: 'lakeshore-aco',
    user: 'desmond.achterberg',
    tags: [
      ['Home visit within 7 days', 19],
      ['Medication review due', 29],
    ],
  },
  {
    team: 'mercy-case',
    group: 'mercy',
    user: 'grace.tunstall',
    tags: [
      ['Awaiting prior authorization', 5],
      ['Guardian signs consents', 31],
    ],
  },
];

/** Writes the tags that the demo's teams gave to their patients. */
export async function writeTags(db: Queryable, directory: DemoDirectory, now: Date): Promise<void> {
  for (const { team, group, user, tags } of TAGS) {
    for (const [name, every] of tags) {
      await db.query(sql`
        with tag as (
          insert into tags (team_id, name, created_at, created_by)
          values (${idOf(directory.teams, team)}, ${name}, ${now}, ${idOf(directory.users, user)}) returning id, created_by),
        listed as (
          select r.id, row_number() over (order by r.id) as position from roster_patients r
          where r.group_id = ${idOf(directory.groups, group)} and r.left_at is null)
        insert into patient_tags (roster_patient_id, tag_id, set_at, set_by)
        select listed.id, tag.id, ${now}, tag.created_by from listed, tag where listed.position % ${every}::int = 0`);
    }
  }
}
