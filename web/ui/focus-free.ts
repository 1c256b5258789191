/** Whether no element in particular has the focus: a part that appears may take it. A new page's main part has it only until then. */
export const isFocusFree = (): boolean => {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.id === 'main';
};
