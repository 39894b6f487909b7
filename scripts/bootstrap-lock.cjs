'use strict';

// One install at a time: a lock file that its holder keeps fresh. A holder that died stops touching
// it, and after STALE_MS the next one takes it over.

var fs = require('fs');

var TOUCH_MS = 1000;
var STALE_MS = 20000;
var POLL_MS = 250;
// Two that find the same dead lock may both replace it; the last one wins, and the other sees so
// when it looks again after this while.
var SETTLE_MS = 150;

/** Resolves, once the lock is held, with the function that gives it back. */
function takeLock(file, say) {
  var token = process.pid + ' ' + process.hrtime().join('.') + '\n';
  var saidWaiting = false;

  function attempt() {
    if (!create(file, token)) {
      if (isStale(file)) fs.rmSync(file, { force: true });
      else if (!saidWaiting) {
        saidWaiting = true;
        say('afterbell: another start is installing the packages; waiting for it …');
      }
      return later(POLL_MS).then(attempt);
    }
    return later(SETTLE_MS).then(function () {
      return read(file) === token ? hold(file, token) : attempt();
    });
  }

  return attempt();
}

function hold(file, token) {
  var timer = setInterval(function () {
    touch(file);
  }, TOUCH_MS);
  function release() {
    clearInterval(timer);
    if (read(file) === token) fs.rmSync(file, { force: true });
  }
  process.once('exit', release);
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.once(signal, function () {
      process.exit(1);
    });
  });
  return release;
}

function create(file, token) {
  try {
    fs.writeFileSync(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(file) {
  try {
    return Date.now() - fs.statSync(file).mtimeMs > STALE_MS;
  } catch {
    return false;
  }
}

function touch(file) {
  var now = new Date();
  try {
    fs.utimesSync(file, now, now);
  } catch {
    // Taken over while this process was frozen: nothing to keep fresh any more.
  }
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function later(ms) {
  return new Promise(function (resolve) {
    setTimeout(resolve, ms);
  });
}

module.exports = { takeLock: takeLock };
