import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { serve } from '../testing/app.tsx';
import { show } from '../testing/show.tsx';
import { EncountersForm } from './encounters-form.tsx';

test('the dates are explained: days at the facility, while the file has times of one zone', async () => {
  serve({ 'POST /api/export/fields': [200, []] });
  show(<EncountersForm close={() => {}} />);
  expect(await screen.findByText(/^Dates at each facility\./)).toBeTruthy();
});
