(define-derived-mode stubborn-mode prog-mode "Stubborn"
  (setq-local comment-start "// "))
(add-to-list 'auto-mode-alist '("\\.\\(stb\\|tester\\)\\'" . stubborn-mode))
(add-hook 'stubborn-mode-hook #'eglot-ensure)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(stubborn-mode "stubborn" "lsp")))
