/** The service's name, read from the page's meta tags. */
export const brand: string = metaContent('brand') ?? 'Afterbell';

/** The brand used in delivery header names, read from the page's meta tags. */
export const headerBrand: string = metaContent('header-brand') ?? 'Service';

/**
 * Returns the content of a meta tag, or null if the page wasn't served by the service, which fills
 * in these tags.
 */
function metaContent(name: string): string | null {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return content === '' || content.startsWith('%') ? null : content;
}
