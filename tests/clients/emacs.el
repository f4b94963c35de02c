;;; -*- lexical-binding: t -*-
;; The story in Emacs with eglot, without a screen.  emacs-config.el is its only configuration, the
;; lines that the README shows; `stubborn' is found in the PATH, as there.  tests/clients/run.sh
;; starts it in a fresh copy of the workspace:
;;
;;     CLIENTS=tests/clients emacs --batch -l emacs.el
;;
;; Prints a line `ok emacs: …' or `not ok emacs: …' for each step of story.json.

(require 'json)
(require 'cl-lib)
(package-initialize)                    ; Debian's eglot is a package; later ones are part of Emacs
(require 'eglot)

(defconst story-folder (or (getenv "CLIENTS") (error "CLIENTS names the folder of this script")))
(defconst story (with-temp-buffer
                  (insert-file-contents (expand-file-name "story.json" story-folder))
                  (json-parse-buffer :object-type 'alist)))
(defconst story-deadline (+ (float-time) (string-to-number (or (getenv "DEADLINE") "60"))))
(load (expand-file-name "emacs-config.el" story-folder) nil t)

;; The messages of the server stay where they can be told of a step that fails.
(setq make-backup-files nil auto-save-default nil create-lockfiles nil)

(defun say (&rest arguments)
  (princ (concat (apply #'format arguments) "\n")))

(defun of (&rest names)
  "What the story has under NAMES."
  (let ((found story))
    (dolist (name names found)
      (setq found (alist-get name found)))))

(defmacro wait-until (what condition)
  "Take what the server says until CONDITION holds; WHAT is told where the time runs out."
  `(let (there)
     (while (not (setq there ,condition))
       (when (> (float-time) story-deadline)
         (error "still waiting for %s" ,what))
       (accept-process-output nil 0.05))
     there))

(defun check (fine what)
  (unless fine (error "%s" what)))

(defun check-has (text part)
  (check (string-search part text) (format "%S is not in:\n%s" part text)))

(defvar model nil)
(defvar tester nil)
(defvar server nil)

(defun go-to (buffer line &optional name)
  "Put point at NAME in the line of BUFFER that has LINE, or at LINE; give the end."
  (switch-to-buffer buffer)
  (goto-char (point-min))
  (search-forward line)
  (goto-char (match-beginning 0))
  (if (not name)
      (match-end 0)
    (search-forward name)
    (prog1 (point) (goto-char (match-beginning 0)))))

(defun go-to-property (buffer property)
  (go-to buffer (of property 'line) (of property 'name)))

(defun told (buffer line name)
  "The diagnostics of exactly this piece of BUFFER."
  (with-current-buffer buffer
    (save-window-excursion
      (save-excursion
        (let ((end (go-to buffer line name)))
          (cl-remove-if-not (lambda (one)
                              (and (= (flymake-diagnostic-beg one) (point))
                                   (= (flymake-diagnostic-end one) end)))
                            (flymake-diagnostics)))))))

(defun told-of (buffer property)
  (told buffer (of property 'line) (of property 'name)))

(defun is-error (one)
  (eq (flymake-diagnostic-type one) 'eglot-error))

(defun is-stale (one)
  "ONE is said to be of the text before, and no more as an error."
  (and (not (is-error one))
       (string-search (of 'before) (flymake-diagnostic-text one))))

(defun both-are-violated ()
  (let ((found (list (told-of model 'violated) (told-of tester 'violated_by_tester))))
    (and (cl-every (lambda (here) (cl-some #'is-error here)) found)
         (cl-notany (lambda (here) (cl-some #'is-stale here)) found))))

(defun tell-what-was-typed ()
  "Do what eglot does once Emacs is idle: in a batch it never is."
  (dolist (buffer (list model tester))
    (with-current-buffer buffer
      (when eglot--change-idle-timer
        (timer-event-handler eglot--change-idle-timer)))))

(defun hover (buffer property)
  "What ElDoc is given to show."
  (go-to-property buffer property)
  (let (shown)
    (eglot-hover-eldoc-function (lambda (info &rest _) (setq shown (or info "nothing"))))
    (wait-until (format "the hover on %s" (of property 'name)) shown)))

(defun visit (name)
  "Open a file as a person would; eglot starts once the command has ended."
  (find-file name)
  (check (eq major-mode 'stubborn-mode) (format "%s is in %s" name major-mode))
  (run-hooks 'post-command-hook)
  (wait-until (format "a server for %s" name) (eglot-current-server))
  (flymake-start)
  (current-buffer))

(defun wrong-line ()
  (concat "await not " (of 'mistake 'wrong)))

(defun go-to-mistake ()
  (go-to model (wrong-line) (of 'mistake 'wrong)))

(defvar asked 0 "How often the server wanted to know the settings.")
(advice-add 'eglot-handle-request :before
            (lambda (_server method &rest _)
              (when (eq method 'workspace/configuration) (cl-incf asked))))

(defun step-open ()
  (setq model (visit (of 'model))
        tester (visit (of 'tester))
        server (eglot-current-server))
  (check (eq server (with-current-buffer model (eglot-current-server))) "two servers were started")
  (wait-until "the violations" (both-are-violated))
  (check (null (told-of model 'holding)) "something is told of the property that holds"))

(defun step-hover ()
  (let ((shown (hover model 'violated)))
    (check-has shown "violated")
    (mapc (lambda (part) (check-has shown part)) (of 'trace))
    ;; Markdown is for those who have a mode that reads it.
    (unless (fboundp 'gfm-view-mode)
      (check (not (string-search "**" shown)) (format "this is no plain text:\n%s" shown))))
  (check-has (hover model 'holding) "holds"))

(defun step-mistake ()
  (let ((end (go-to model (of 'mistake 'line) (of 'mistake 'right))))
    (delete-region (point) end)
    (insert (of 'mistake 'wrong)))
  (tell-what-was-typed)
  (wait-until "the mistake" (cl-some #'is-error (told model (wrong-line) (of 'mistake 'wrong))))
  (wait-until "what was found before"
              (and (cl-some #'is-stale (told-of model 'violated))
                   (cl-some #'is-stale (told-of tester 'violated_by_tester))))
  (check (cl-notany #'is-error (told-of model 'violated)) "the old verdict is told of the new text"))

(defun step-completion ()
  (if (not (eglot--server-capable :completionProvider))
      'not-offered
    (goto-char (go-to-mistake))
    (pcase-let* ((`(,from ,to ,table . ,_)
                  (run-hook-with-args-until-success 'completion-at-point-functions))
                 (half (buffer-substring-no-properties from to))
                 (offered (all-completions half table)))
      (check (equal half (of 'mistake 'wrong)) (format "%S is to be completed" half))
      (check (member (of 'mistake 'right) offered) (format "offered: %S" offered)))))

(defun step-fix ()
  (if (not (eglot--server-capable :codeActionProvider))
      (let ((end (go-to-mistake)))
        (delete-region (point) end)
        (insert (of 'mistake 'right))
        (tell-what-was-typed)
        (wait-until "what was found" (both-are-violated))
        'not-offered)
    (let* ((end (go-to-mistake))
           (actions (eglot-code-actions (point) end "quickfix"))
           (right (lambda (action) (string-search (of 'mistake 'right) (plist-get action :title)))))
      (check (cl-some right actions) (format "offered: %S" actions))
      (eglot--read-execute-code-action (list (cl-find-if right actions)) server "quickfix"))
    (go-to model (of 'mistake 'line))
    (tell-what-was-typed)
    (wait-until "what was found" (both-are-violated))))

(defun step-rename ()
  (if (not (eglot--server-capable :renameProvider))
      'not-offered
    (go-to model (of 'renamed 'line) (of 'renamed 'from))
    (eglot-rename (of 'renamed 'to))
    (cl-flet ((times (buffer name)
                (with-current-buffer buffer
                  (how-many (format "\\_<%s\\_>" name) (point-min) (point-max)))))
      (check (and (= (times model (of 'renamed 'to)) (of 'renamed 'in_model))
                  (= (times tester (of 'renamed 'to)) (of 'renamed 'in_tester))
                  (= 0 (+ (times model (of 'renamed 'from)) (times tester (of 'renamed 'from)))))
             "not every use has the new name"))
    (tell-what-was-typed)
    ;; A name changes nothing that was found.
    (wait-until "what was found" (both-are-violated))))

(defun step-save ()
  (let ((end (go-to model (of 'mended 'gone))))
    (delete-region (point) end))
  (let ((end (go-to model (of 'mended 'line))))
    (delete-region (point) end)
    (insert (of 'mended 'to)))
  (save-some-buffers t)
  (wait-until "nothing wrong"
              (and (null (told-of model 'violated))
                   (null (told-of tester 'violated_by_tester))
                   (cl-notany #'is-error (with-current-buffer model (flymake-diagnostics)))
                   (cl-notany #'is-error (with-current-buffer tester (flymake-diagnostics)))))
  (check-has (hover model 'violated) "holds")
  (check-has (hover tester 'violated_by_tester) "holds"))

(defun step-cancel ()
  (go-to-property model 'violated)
  (let ((answers 0) (place (eglot--TextDocumentPositionParams)))
    (dotimes (_ 20)
      ;; Answered too, be it that it is cancelled or with what was found before.
      (let ((id (car (jsonrpc-async-request server :textDocument/hover place
                                            :success-fn (lambda (_) (cl-incf answers))
                                            :error-fn (lambda (_) (cl-incf answers))))))
        (jsonrpc-notify server '$/cancelRequest (list :id id)))
      (jsonrpc-async-request server :textDocument/hover place
                             :success-fn (lambda (answer) (when answer (cl-incf answers)))))
    (wait-until "forty answers" (= answers 40))))

(defun step-quit ()
  ;; As `eglot-shutdown' does it, but for its last step: Emacs 28 ends by force whom it has asked to.
  (setf (eglot--shutdown-requested server) t)
  (jsonrpc-request server :shutdown nil)
  (jsonrpc-notify server :exit nil)
  (let ((process (jsonrpc--process server)))
    (wait-until "the end of the server" (not (process-live-p process)))
    (check (and (eq (process-status process) 'exit) (= 0 (process-exit-status process)))
           (format "it ended with %S, status %S"
                   (process-status process) (process-exit-status process))))
  ;; And whatever the server asked, eglot could do.
  (with-current-buffer (jsonrpc-events-buffer server)
    (goto-char (point-min))
    (check (not (re-search-forward "^\\[client-reply\\].*ERROR" nil t)) "eglot refused a request"))
  (check (<= asked (of 'asked_for_settings_at_most))
         (format "%d times the server asked for the settings" asked)))

(defun tell-what-was-heard ()
  (dolist (buffer (list model tester))
    (when buffer
      (with-current-buffer buffer
        (dolist (one (flymake-diagnostics))
          (say "  heard: %s:%d: %s" (buffer-name) (line-number-at-pos (flymake-diagnostic-beg one))
               (flymake-diagnostic-text one)))
        (say "  text: %s" (buffer-string)))))
  (when server
    (with-current-buffer (jsonrpc-events-buffer server)
      (say "  said: %s" (buffer-substring (max (point-min) (- (point-max) 2000)) (point-max))))))

(let ((steps '(open hover mistake completion fix rename save cancel quit)) current)
  (check (= (length steps) (length (of 'steps))) "a step of the story is not told")
  (condition-case why
      (dolist (step steps)
        (setq current step)
        (if (eq (funcall (intern (format "step-%s" step))) 'not-offered)
            (progn
              (check (seq-contains-p (of 'may_be_left_out) (symbol-name step)) "not offered")
              (say "left out emacs: %s: not offered" (of 'steps step)))
          (say "ok emacs: %s" (of 'steps step))))
    (error
     (say "not ok emacs: %s: %s" (of 'steps current) (error-message-string why))
     (tell-what-was-heard)
     (kill-emacs 1))))
