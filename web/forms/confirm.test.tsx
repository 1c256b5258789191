import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { Confirm } from './confirm.tsx';

afterEach(cleanup);

const Asking = () => {
  const [asking, ask] = useState(false);
  return (
    <>
      <button type="button" onClick={() => ask(true)}>
        Remove…
      </button>
      {asking && (
        <Confirm title="Remove it?" word="Remove" act={async () => {}} done={() => ask(false)} close={() => ask(false)}>
          It is removed.
        </Confirm>
      )}
    </>
  );
};

test.each(['Cancel', 'Remove'])('after "%s", the focus is back where it was', async (answer) => {
  show(<Asking />);
  await userEvent.click(screen.getByRole('button', { name: 'Remove…' }));
  await userEvent.click(await screen.findByRole('button', { name: answer }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove…' }));
});
