import { enableCopyButtons } from './copy-buttons.js';
import { enableLiveRegion } from './live.js';
import { enablePlayground } from './playground.js';
import { enableReference } from './reference.js';
import { startTokenCountdown } from './token-countdown.js';

enableCopyButtons();
startTokenCountdown();
enableReference();
enablePlayground();
enableLiveRegion();
