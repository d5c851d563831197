// @ts-check
/**
 * Returns a text that a page holds, with its places filled in.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
