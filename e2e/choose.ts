import type { Locator } from '@playwright/test';

/**
 * Chooses the first option whose label contains the text, in a plain select or in a field that looks choices up: `web/ui/choice-field.tsx` is the one
 * or the other, by how many choices there are.
 */
export async function choose(within: Locator, label: string, text: string): Promise<void> {
  const field = within.getByRole('combobox', { name: label, exact: true });
  if (await field.evaluate(({ nodeName }) => nodeName === 'SELECT')) {
    const option = field.getByRole('option').filter({ hasText: text }).first();
    await field.selectOption(await option.getAttribute('value'));
    return;
  }
  await field.fill(text);
  await within
    .getByRole('listbox', { name: `Choices for ${label}` })
    .getByRole('option')
    .first()
    .click();
}
