import type { Locator } from '@playwright/test';

/** Searches a field with many choices (`web/ui/choice-field.tsx`) and takes the first one that is found. */
export async function choose(within: Locator, label: string, text: string): Promise<void> {
  await within.getByRole('combobox', { name: label, exact: true }).fill(text);
  await within
    .getByRole('listbox', { name: `Choices for ${label}` })
    .getByRole('option')
    .first()
    .click();
}
