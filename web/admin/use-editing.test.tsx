import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { groups, teams } from '../testing/administration.ts';
import { directoryAnswers } from '../testing/directory-answers.ts';
import { show } from '../testing/show.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { TeamsPage } from './directory/teams-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('closing a drawer returns the focus to what opened it', async () => {
  stubApi(directoryAnswers({ teams, groups }));
  show(<TeamsPage />);
  for (const name of ['Lakeshore', 'Add team']) {
    const opener = await screen.findByRole('button', { name });
    await userEvent.click(opener);
    await screen.findByLabelText('Abbreviation');
    await userEvent.keyboard('{Escape}');
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(opener);
  }
});

test('if what opened it has gone, the heading of the page gets the focus', async () => {
  const answers = { 'DELETE /api/admin/teams/:id': undefined };
  stubApi({ ...answers, ...directoryAnswers({ teams, groups }) });
  show(<TeamsPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Lakeshore' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Remove this team…' }));
  stubApi({ ...answers, ...directoryAnswers({ groups }) });
  await userEvent.click(screen.getByRole('button', { name: 'Remove team' }));
  await screen.findByText('No teams yet.');
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
});
