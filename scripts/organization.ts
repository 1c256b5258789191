/**
 * `npm run organization -- add | add-admin | unlock | list`: the first administrator of an installation, further organizations, an administrator for
 * one that has lost its own, and a link to a new password; also while Tidings runs. See docs/operations.md, "Accounts".
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { GROUP_TEXTS, TEAM_TEXTS, USER_TEXTS } from '#contract/admin-fields.ts';
import { counted } from '#contract/counted.ts';
import { id, plainText } from '#contract/primitives.ts';
import { isTimeZone } from '#contract/time-zones.ts';
import { newUsername, username } from '#contract/users.ts';
import { type Config, readConfig } from '#server/config.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { canMail } from '#server/people/accounts/letters/send-letters.ts';
import { CommandRefused, type GivenLink, type LinkWay, type Step } from '#server/people/organizations/command.ts';
import {
  type Added,
  addAdministrator,
  addOrganization,
  type NewAdministrator,
} from '#server/people/organizations/organizations.ts';
import { type Counted, countOperators, countOrganizations } from '#server/people/organizations/queries.ts';
import { sendPasswordLink } from '#server/people/organizations/unlock.ts';
import { isMigrated } from '#server/platform/database/migrate.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import { findDatabase } from './installation-database.ts';

const USAGE =
  'use: npm run organization -- add --name "Elm Health" --admin ada@elm.example --first-name Ada --last-name Obi, or add-admin, unlock or list (docs/operations.md, "Accounts")';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const PERSON = { admin: text, 'first-name': text, 'last-name': text, operator: flag, 'print-link': flag } as const;
const FIRST = { team: text, 'time-zone': text } as const;
const OPTIONS = {
  add: { ...PERSON, ...FIRST, name: text, group: text },
  'add-admin': { ...PERSON, ...FIRST, name: text, id: text, additional: flag },
  unlock: { 'print-link': flag },
  list: {},
} as const;
type Given = Readonly<Record<string, string | boolean | undefined>>;

interface Command {
  command: keyof typeof OPTIONS;
  given: Given;
  /** What is not an option: the accounts to unlock. */
  addresses: readonly string[];
}

/** Returns the command and its options. Throws CommandRefused with the first thing that is wrong. */
function readCommand([command = '', ...args]: readonly string[]): Command {
  if (!isCommand(command)) throw new CommandRefused(command === '' ? USAGE : `'${command}' is not a command; ${USAGE}`);
  try {
    const allowPositionals = command === 'unlock';
    const { values, positionals } = parseArgs({ args, options: OPTIONS[command], allowPositionals });
    return { command, given: values as Given, addresses: positionals };
  } catch (error) {
    const [first = ''] = (error as Error).message.split('. ');
    throw new CommandRefused(first);
  }
}

const isCommand = (name: string): name is keyof typeof OPTIONS => Object.hasOwn(OPTIONS, name);

/** Returns an option's value. Throws CommandRefused if it is missing or not as the schema has it. */
function option(given: Given, name: string, schema: z.ZodType<string>, fallback?: string): string {
  const value = given[name] ?? fallback;
  if (value === undefined) throw new CommandRefused(`--${name} is missing; ${USAGE}`);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new CommandRefused(`--${name}: ${parsed.error.issues[0]?.message}`);
  return parsed.data;
}

const named = (max: number) =>
  plainText(max)
    .transform((value) => value.trim().replace(/\s+/g, ' '))
    .refine((value) => value !== '', 'Must not be empty.');
const organizationName = named(GROUP_TEXTS.name.max);
const timeZone = z.string().refine(isTimeZone, 'Must be a time zone such as America/Chicago.');

function readAdministrator(given: Given, command: 'add' | 'add-admin'): NewAdministrator {
  const isNew = command === 'add' || given['first-name'] !== undefined || given['last-name'] !== undefined;
  return {
    username: option(given, 'admin', newUsername),
    name: isNew
      ? {
          first: option(given, 'first-name', named(USER_TEXTS.firstName.max)),
          last: option(given, 'last-name', named(USER_TEXTS.lastName.max)),
        }
      : null,
    isOperator: given['operator'] === true,
  };
}

const readFirst = (given: Given) => ({
  teamName: option(given, 'team', named(TEAM_TEXTS.name.max), 'Administration'),
  timeZone: option(given, 'time-zone', timeZone, 'America/New_York'),
});

function readOrganization(given: Given): { name: string } | { id: string } {
  if (given['id'] !== undefined && given['name'] !== undefined)
    throw new CommandRefused('--name and --id are both there: use one of them');
  return given['id'] === undefined
    ? { name: option(given, 'name', organizationName) }
    : { id: option(given, 'id', id) };
}

type Run = (database: Database) => Promise<void>;

/** Returns what to run with the database. Throws CommandRefused before anything is connected. */
function plan(args: readonly string[], config: Config): Run {
  const { command, given, addresses } = readCommand(args);
  if (command === 'list') return list;
  const isPrinted = given['print-link'] === true;
  if (!isPrinted && !canMail(config)) {
    throw new CommandRefused(
      'there is no mail server (TIDINGS_SMTP_URL), so the email would not arrive. Set it as for the server, or add --print-link and hand the link over yourself',
    );
  }
  const way = { publicUrl: config.publicUrl, isPrinted };
  return command === 'unlock' ? planUnlock(addresses, way) : planAdministrator(command, given, way);
}

function planUnlock([address, ...others]: readonly string[], way: LinkWay): Run {
  const parsed = username.safeParse(address);
  if (!parsed.success || others.length > 0)
    throw new CommandRefused('unlock takes the address of one account: npm run organization -- unlock ada@elm.example');
  return async (database) => {
    const link = await inOneStep(database, way, (step) => sendPasswordLink(step, parsed.data));
    printAddress(way, 'run unlock again');
    printLink(link, `An email was sent to ${parsed.data}.`, way);
  };
}

function planAdministrator(command: 'add' | 'add-admin', given: Given, way: LinkWay): Run {
  const administrator = readAdministrator(given, command);
  const first = readFirst(given);
  const run = async (database: Database, add: (step: Step) => Promise<Added>) =>
    print(await inOneStep(database, way, add), administrator, way);
  if (command === 'add') {
    const name = option(given, 'name', organizationName);
    const groupName = option(given, 'group', organizationName, name);
    return (database) =>
      run(database, async (step) => {
        const added = await addOrganization(step, { ...first, name, groupName, administrator });
        console.log(`Added the organization ${name}, with the group ${groupName} and the team ${first.teamName}.`);
        return added;
      });
  }
  const organization = readOrganization(given);
  const isAdditional = given['additional'] === true;
  return (database) =>
    run(database, (step) => addAdministrator(step, { ...first, organization, administrator, isAdditional }));
}

/** Runs a command in one transaction, with a partition for its entries of the audit log. */
async function inOneStep<T>(database: Database, way: LinkWay, run: (step: Step) => Promise<T>): Promise<T> {
  const now = new Date();
  await ensurePartitions(database, now);
  return database.transaction((tx) => run({ tx, now, way }));
}

function print(
  { organization, groups, entry }: Added,
  { username: address, isOperator }: NewAdministrator,
  way: LinkWay,
): void {
  const managed = counted(groups, 'group');
  console.log(
    `${address} is an administrator of ${organization.name} (id ${organization.id}, ${managed})${isOperator ? ', and an operator' : ''}.`,
  );
  if (entry.by !== 'account') printAddress(way, 'run add-admin with --additional');
  switch (entry.by) {
    case 'mail':
    case 'link':
      return printLink(entry, 'An invitation was mailed.', way);
    case 'sso':
      return console.log(`They sign in with the account of their organization, at ${way.publicUrl}/login.`);
    case 'account':
      return console.log(
        isOperator
          ? 'They sign in with their password. Operators don’t use single sign-on: "Forgot password?" sets one.'
          : 'They sign in as before.',
      );
  }
}

/** Says that the address of links may be wrong, and how to get another link, if no variable names the server's. */
function printAddress({ publicUrl }: LinkWay, again: string): void {
  if (process.env['TIDINGS_PUBLIC_URL']) return;
  console.log(
    `TIDINGS_PUBLIC_URL is not set, so the address is ${publicUrl}, from HOST and PORT of this command. If the server has another, set the variables as for the server and ${again}.`,
  );
}

function printLink(given: GivenLink, mailed: string, { publicUrl }: LinkWay): void {
  if (given.by === 'mail')
    return console.log(`${mailed} Its link leads to ${publicUrl} and works once, within ${given.validFor}.`);
  console.log(`Whoever has this link chooses the password. It works once, within ${given.validFor}:`);
  console.log(given.link);
}

function administratorWords({ administrators, invited }: Counted): string {
  const waiting = invited === 0 ? '' : `, ${invited} invited`;
  return `${administrators === 0 ? 'no administrator who can sign in' : counted(administrators, 'administrator')}${waiting}`;
}

async function list(database: Database): Promise<void> {
  const organizations = await countOrganizations(database);
  if (organizations.length === 0) console.log('There are no organizations yet.');
  for (const each of organizations) {
    const { groups, teams, accounts } = each;
    const parts = [counted(groups, 'group'), counted(teams, 'team'), counted(accounts, 'account')];
    console.log(`${each.id}  ${each.name}: ${[...parts, administratorWords(each)].join(', ')}`);
  }
  const operators = await countOperators(database);
  console.log(`${counted(operators, 'operator')} who can sign in.`);
}

/** The codes of PostgreSQL for a missing table, schema or database. */
const NOT_SET_UP = new Set(['42P01', '3F000', '3D000']);
/** A role is missing, or has another password, which comes from that of DATABASE_URL: PostgreSQL doesn't say which. */
const REFUSED = new Set(['28P01', '28000']);
const START_FIRST = 'start this version of Tidings once, so that its database is brought up to date';
const ANOTHER_PASSWORD =
  'the database refuses the password. Set DATABASE_URL as for the server; if Tidings has never been started with it, start it once';

function reasonOf({ message, code = '' }: Error & { code?: string }): string {
  if (REFUSED.has(code)) return ANOTHER_PASSWORD;
  return NOT_SET_UP.has(code) ? START_FIRST : message;
}

try {
  const config = readConfig({ ...process.env, TIDINGS_ROLES: 'worker' });
  const run = plan(process.argv.slice(2), config);
  const { urls, stop } = await findDatabase();
  const database = openDatabase(urls.pipeline, { max: 2, applicationName: 'tidings organization' });
  try {
    if (!(await isMigrated(database))) throw new CommandRefused(START_FIRST);
    await run(database);
  } finally {
    await database.close();
    await stop();
  }
} catch (error) {
  console.error(`Nothing was changed: ${reasonOf(error as Error)}`);
  process.exitCode = 1;
}
