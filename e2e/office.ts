/** Fixtures for sign-in tests: an office with users, the mails they get, and the errors that pages show. */
import type { Page } from '@playwright/test';
import { Sql } from '#server/platform/database/sql.ts';
import { factories } from '#server/testing/factories.ts';
import { approveDomains, test as base, expect, signIn } from './journey.ts';
import { runningServer } from './start-server.ts';

export { expect };

type Factories = ReturnType<typeof factories>;
type UserOver = NonNullable<Parameters<Factories['user']>[0]>;
export type OfficeUser = Awaited<ReturnType<Factories['user']>>;

/** Columns of `users` that a test sets back: days ago, or null. */
type Ages = Partial<Record<'disabled_at' | 'activated_at' | 'current_login_at' | 'password_changed_at', number | null>>;

export interface Office {
  organization: { id: string; name: string };
  group: { id: string; name: string };
  team: { id: string; name: string; organizationId: string };
  /** Activated, with the test password. */
  user: (over?: UserOver) => Promise<OfficeUser>;
  /** Approves the domains of the organization's connections, as an operator does. */
  approveDomains: () => Promise<void>;
  /** Sets dates of an account back. */
  age: (user: { id: string }, days: Ages) => Promise<void>;
}

const DAY = 24 * 60 * 60 * 1000;
let offices = 0;

export const test = base.extend<{ office: Office }>({
  office: async ({ db }, use, { workerIndex }) => {
    const make = factories(db, () => new Date());
    const code = `O${workerIndex}N${++offices}`;
    const organization = await make.organization({ name: `Fernhill Care ${code}` });
    const group = await make.group({ organizationId: organization.id, name: `Fernhill ACO ${code}` });
    const team = await make.team({ organizationId: organization.id, groupIds: [group.id], name: `Fernhill ${code}` });
    let users = 0;
    await use({
      organization,
      group,
      team,
      user: (over = {}) =>
        make.user({ team, username: `ama.${++users}.${code.toLowerCase()}@fernhill.example`, ...over }),
      approveDomains: () => approveDomains(db, organization.id),
      age: async ({ id }, days) => {
        for (const [column, ago] of Object.entries(days)) {
          const at = ago === null ? null : new Date(Date.now() - ago * DAY);
          await db.query(new Sql([`update users set ${column} = `, ' where id = ', ''], [at, id]));
        }
      },
    });
  },
});

/** Expects this as the only error on the page. */
export const expectProblem = (page: Page, message: string): Promise<void> =>
  expect(page.getByRole('alert')).toHaveText(message);

/** Opens the sign-in page and enters username and password. */
export async function tryToSignIn(page: Page, username: string, password: string, at = ''): Promise<void> {
  await page.goto(`${at}/login`);
  await signIn(page, username, password);
}

/** Follows the link in the newest mail with this subject and recipient in the demo mailbox. */
export async function followMail(page: Page, to: string, subject: string): Promise<void> {
  await page.goto('/demo/mailbox');
  const mail = page
    .getByRole('listitem')
    .filter({ hasText: `to ${to} ·` })
    .filter({ has: page.getByRole('heading', { name: subject, exact: true }) });
  await mail.first().getByRole('link').click();
}

export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
};

export { runningServer };
